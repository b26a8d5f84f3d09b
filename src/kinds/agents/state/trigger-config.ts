import type { ReflectionConfig, ReflectionTriggers } from '../contract/agents';
import { REFLECTION_METHODS, REFLECTION_DEFAULTS, TRIGGER_DEFAULTS } from '../base/defaults';
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
  type ReadFields,
  readFields,
  requireSoundFields,
} from '../../../loop/errors/config-fields';
import { InvalidConfigError } from '../../../loop/errors/errors';
import { isJsonObject } from '../../../lib/json/json';

/** The settings of when and how agents reflect, with all defaults filled in. */
export interface ReflectionTriggerConfig extends Omit<ReflectionConfig, 'interval' | 'triggers'>, ReflectionTriggers {}

/** Returns a configuration with every default. */
export function defaultTriggerConfig(): ReflectionTriggerConfig {
  return { ...TRIGGER_DEFAULTS, ...REFLECTION_DEFAULTS, decisionTypes: [...TRIGGER_DEFAULTS.decisionTypes] };
}

const TRIGGER_CHECKS: FieldChecks<ReflectionTriggers> = {
  crisis: isTrueOrFalse,
  periodicInterval: isInteger,
  decisionTypes: isTextList,
  institutionalThreshold: isNotNegative,
  importanceThreshold: isPositive,
  afterFailure: isTrueOrFalse,
};

type MethodFields = Omit<ReflectionConfig, 'triggers'>;

const METHOD_CHECKS: FieldChecks<MethodFields> = {
  method: isOneOf(REFLECTION_METHODS),
  batchSize: isPositiveInteger,
  importanceBoost: isShare,
  critics: isTextList,
  interval: isInteger,
};

/**
 * Reads the value of `reflection` in a configuration: with the triggers in `triggers`, or beside the rest. Keys may be in
 * camelCase or in snake_case. Missing keys have their defaults, and so does a missing configuration. `interval` belongs to
 * `shouldReflect`, and is only checked here.
 *
 * @throws InvalidConfigError for unknown keys and wrong values, each with its path
 */
export function loadTriggerConfig(config?: unknown): ReflectionTriggerConfig {
  if (config === undefined || config === null) return defaultTriggerConfig();
  if (!isJsonObject(config)) throw new InvalidConfigError([{ path: '', message: 'must be an object' }]);
  const { triggers, ...rest } = config;
  if (triggers === undefined) {
    return withDefaults(readFields<ReflectionTriggers & MethodFields>(rest, { ...TRIGGER_CHECKS, ...METHOD_CHECKS }));
  }
  const outer = readFields(rest, METHOD_CHECKS);
  const inner = isJsonObject(triggers)
    ? readFields(triggers, TRIGGER_CHECKS, '/triggers')
    : { values: {}, problems: [{ path: '/triggers', message: 'must be an object' }] };
  return withDefaults({
    values: { ...outer.values, ...inner.values },
    problems: [...outer.problems, ...inner.problems],
  });
}

function withDefaults(read: ReadFields<ReflectionTriggers & MethodFields>): ReflectionTriggerConfig {
  const { interval: _interval, ...given } = requireSoundFields(read);
  return { ...defaultTriggerConfig(), ...given };
}

export function triggerConfigOf({ interval: _interval, triggers, ...rest }: ReflectionConfig): ReflectionTriggerConfig {
  return { ...rest, ...triggers };
}
