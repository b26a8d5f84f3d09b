import { isYearToReflect, type TriggerContext, whyNotReflect } from './should-reflect';
import {
  defaultTriggerConfig,
  loadTriggerConfig,
  type ReflectionTrigger,
  type ReflectionTriggerConfig,
} from './trigger-config';

/** Says when agents of a simulation reflect, for code that runs a simulation of its own. */
export class ReflectionEngine {
  readonly #interval: number;

  /** @param options.reflectionInterval years between reflections by `shouldReflect`; 0 or less: never. Default 1 */
  constructor({ reflectionInterval = 1 }: { reflectionInterval?: number } = {}) {
    this.#interval = reflectionInterval;
  }

  /** Whether it is time to reflect by the calendar alone, whatever happened. */
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
    return whyNotReflect({ trigger, year, agentType, context }, config) === undefined;
  }

  /** Reads a configuration; see `loadTriggerConfig`. @throws InvalidConfigError */
  static loadTriggerConfig(config?: unknown): ReflectionTriggerConfig {
    return loadTriggerConfig(config);
  }
}
