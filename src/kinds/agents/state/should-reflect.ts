import { defaultTriggerConfig, loadTriggerConfig, type ReflectionTriggerConfig } from './trigger-config';
import { ReflectionTrigger } from '../base/defaults';
import { baseAgentType } from './agent-type';

/** The facts of an event that decide whether agents reflect. */
export interface TriggerContext {
  /** The kind of decision that was made. */
  decision?: string;
  /** Whether the decision turned out to have failed. */
  failed?: boolean;
  /** The share by which a policy changed; its sign does not matter. */
  policyChangeMagnitude?: number;
  /** Importance, added up, of the agent's events since it last reflected, this event included. */
  importanceSum?: number;
}

interface TriggerEvent {
  trigger: ReflectionTrigger;
  year: number;
  /** The type of the agent, or a subtype, such as `household_owner`. */
  agentType: string;
  context?: TriggerContext;
}

export function explainSkip(
  { trigger, year, agentType, context = {} }: TriggerEvent,
  config: ReflectionTriggerConfig = defaultTriggerConfig(),
): string | undefined {
  switch (trigger) {
    case ReflectionTrigger.CRISIS: {
      const { importanceThreshold } = config;
      const { importanceSum = 0 } = context;
      if (!config.crisis) return 'reflection after a crisis is switched off';
      if (importanceThreshold === undefined || importanceSum >= importanceThreshold) return undefined;
      return `what happened adds up to an importance of ${importanceSum}, below ${importanceThreshold}`;
    }
    case ReflectionTrigger.PERIODIC: {
      const { periodicInterval } = config;
      if (periodicInterval <= 0) return 'periodic reflection is switched off';
      return isYearToReflect(year, periodicInterval)
        ? undefined
        : `year ${year} is not one of every ${periodicInterval}`;
    }
    case ReflectionTrigger.DECISION: {
      const { decision = '', failed = false } = context;
      if (config.decisionTypes.includes(decision) || (failed && config.afterFailure)) return undefined;
      return `"${decision}" is no decision to reflect upon`;
    }
    case ReflectionTrigger.INSTITUTIONAL: {
      if (!isInstitution(agentType)) return `${agentType} is no institution`;
      const change = Math.abs(context.policyChangeMagnitude ?? 0);
      if (change > config.institutionalThreshold) return undefined;
      return `a change of ${change} is not above ${config.institutionalThreshold}`;
    }
    default:
      return `there is no trigger "${String(trigger satisfies never)}"`;
  }
}

function isInstitution(agentType: string): boolean {
  const base = baseAgentType(agentType);
  return base === 'government' || base === 'insurance';
}

/** True every `interval` years; with 0 or less, never, nor in year 0, when there is nothing to look back at. */
function isYearToReflect(year: number, interval: number): boolean {
  return interval > 0 && year > 0 && year % interval === 0;
}

/** Decides when agents reflect, for code that runs a simulation itself. */
export class ReflectionEngine {
  readonly #interval: number;

  /** @param options.reflectionInterval years between reflections by `shouldReflect`; 0 or less: never. Default 1 */
  constructor({ reflectionInterval = 1 }: { reflectionInterval?: number } = {}) {
    this.#interval = reflectionInterval;
  }

  /** Whether reflection by the calendar alone is due. */
  shouldReflect(_agentId: string, year: number): boolean {
    return isYearToReflect(year, this.#interval);
  }

  /** Whether an agent should reflect upon an event. */
  shouldReflectTriggered(
    _agentId: string,
    agentType: string,
    year: number,
    trigger: ReflectionTrigger,
    config: ReflectionTriggerConfig = defaultTriggerConfig(),
    context: TriggerContext = {},
  ): boolean {
    return explainSkip({ trigger, year, agentType, context }, config) === undefined;
  }

  /** Reads a configuration; see `loadTriggerConfig`. Throws InvalidConfigError. */
  static loadTriggerConfig(config?: unknown): ReflectionTriggerConfig {
    return loadTriggerConfig(config);
  }
}
