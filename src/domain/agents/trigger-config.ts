import type { ReflectionConfig } from '../../contract/agents';
import { REFLECTION_METHODS } from '../base/choices';
import { REFLECTION_DEFAULTS, TRIGGER_DEFAULTS } from '../base/defaults';
import {
  type FieldChecks,
  isInteger,
  isNotNegative,
  isOneOf,
  isPositive,
  isPositiveInteger,
  isShare,
  isTextList,
  isTrueOrFalse,
  readFields,
  soundFields,
} from '../errors/config-fields';
import { InvalidConfigError } from '../errors/errors';
import { isJsonObject } from '../base/json';

export { ReflectionTrigger } from '../base/choices';

/** When and how agents reflect, with all defaults filled in. */
export interface ReflectionTriggerConfig {
  /** Whether crises make agents reflect. */
  crisis: boolean;
  /** Years; 0 or less: never. */
  periodicInterval: number;
  /** The decisions after which an agent reflects. */
  decisionTypes: string[];
  /** A change of policy has to be larger than this share. */
  institutionalThreshold: number;
  method: (typeof REFLECTION_METHODS)[number];
  /** Agents that reflect at the same time. */
  batchSize: number;
  /** 0..1: importance of an insight at least. */
  importanceBoost: number;
  /**
   * A crisis makes an agent reflect only once the importance of what it went through since its last reflection adds up to this
   * (Park et al. 2023). Default: every crisis does.
   */
  importanceThreshold?: number;
  /** Whether an agent also reflects after a decision of any kind that failed (Shinn et al. 2023). Default: no. */
  afterFailure?: boolean;
  /** Points of view of critics who each say what they think before an insight is written (MAR 2024). Default: none. */
  critics?: string[];
}

/** A configuration with every default. */
export function defaultTriggerConfig(): ReflectionTriggerConfig {
  return { ...TRIGGER_DEFAULTS, ...REFLECTION_DEFAULTS, decisionTypes: [...TRIGGER_DEFAULTS.decisionTypes] };
}

type TriggerFields = Pick<
  ReflectionTriggerConfig,
  'crisis' | 'periodicInterval' | 'decisionTypes' | 'institutionalThreshold' | 'importanceThreshold' | 'afterFailure'
>;
type MethodFields = Pick<ReflectionTriggerConfig, 'method' | 'batchSize' | 'importanceBoost' | 'critics'> & {
  /** Of `shouldReflect`. */
  interval: number;
};

const TRIGGER_CHECKS: FieldChecks<TriggerFields> = {
  crisis: isTrueOrFalse,
  periodicInterval: isInteger,
  decisionTypes: isTextList,
  institutionalThreshold: isNotNegative,
  importanceThreshold: isPositive,
  afterFailure: isTrueOrFalse,
};

const METHOD_CHECKS: FieldChecks<MethodFields> = {
  method: isOneOf(REFLECTION_METHODS),
  batchSize: isPositiveInteger,
  importanceBoost: isShare,
  critics: isTextList,
  interval: isInteger,
};

/**
 * Reads what stands under `reflection` of a configuration: with the triggers in `triggers`, or beside the rest. Keys may be in
 * camelCase or in snake_case. What is left out has its default, and so has all of it without a configuration. `interval`
 * belongs to `shouldReflect`, and is only checked here.
 *
 * @throws InvalidConfigError for unknown keys and wrong values, each with its path
 */
export function loadTriggerConfig(config?: unknown): ReflectionTriggerConfig {
  if (config === undefined || config === null) return defaultTriggerConfig();
  if (!isJsonObject(config)) throw new InvalidConfigError([{ path: '', message: 'must be an object' }]);
  const { triggers, ...rest } = config;
  if (triggers === undefined) {
    return withDefaults(
      soundFields(readFields<TriggerFields & MethodFields>(rest, { ...TRIGGER_CHECKS, ...METHOD_CHECKS })),
    );
  }
  const outer = readFields(rest, METHOD_CHECKS);
  const inner = isJsonObject(triggers)
    ? readFields(triggers, TRIGGER_CHECKS, '/triggers')
    : { values: {}, problems: [{ path: '/triggers', message: 'must be an object' }] };
  return withDefaults(
    soundFields({
      values: { ...outer.values, ...inner.values },
      problems: [...outer.problems, ...inner.problems],
    }),
  );
}

function withDefaults({ interval: _interval, ...given }: Partial<TriggerFields & MethodFields>) {
  return { ...defaultTriggerConfig(), ...given };
}

/** The same from a configuration that was read from a file or came over the wire. */
export function triggerConfigOf({ interval: _interval, triggers, ...rest }: ReflectionConfig): ReflectionTriggerConfig {
  return { ...rest, ...triggers };
}
