import { CRITERIA_DEFAULTS } from '../base/defaults';
import { type FieldChecks, isPositive, isShare, isTrueOrFalse, soundFields } from '../../../loop/errors/config-fields';
import { InvalidConfigError } from '../../../loop/errors/errors';
import { isJsonObject } from '../../../lib/json/json';
import type { ReflectionCriteria } from '../contract/plan';

const CRITERIA_CHECKS: FieldChecks<ReflectionCriteria> = {
  minSuccessRate: isShare,
  maxExecutionTimeMultiplier: isPositive,
  requireAllTasksComplete: isTrueOrFalse,
  checkOutputQuality: isTrueOrFalse,
};

/**
 * Reads criteria from a configuration, whose keys may be in camelCase or in snake_case. Missing keys have their defaults.
 *
 * @throws InvalidConfigError for unknown keys and wrong values
 */
export function criteriaFromConfig(config?: unknown): ReflectionCriteria {
  if (config === undefined || config === null) return { ...CRITERIA_DEFAULTS };
  if (!isJsonObject(config)) throw new InvalidConfigError([{ path: '', message: 'must be an object' }]);
  return { ...CRITERIA_DEFAULTS, ...soundFields(config, CRITERIA_CHECKS) };
}
