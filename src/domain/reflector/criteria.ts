import { type FieldChecks, isPositive, isShare, isTrueOrFalse, readFields, soundFields } from '../errors/config-fields';
import { InvalidConfigError } from '../errors/errors';
import { isJsonObject } from '../base/json';
import type { ReflectionCriteria } from '../../contract/plan';
export type { ReflectionCriteria } from '../../contract/plan';

export const DEFAULT_CRITERIA: ReflectionCriteria = {
  minSuccessRate: 0.8,
  maxExecutionTimeMultiplier: 2,
  requireAllTasksComplete: true,
  checkOutputQuality: true,
};

export const CRITERIA_CHECKS: FieldChecks<ReflectionCriteria> = {
  minSuccessRate: isShare,
  maxExecutionTimeMultiplier: isPositive,
  requireAllTasksComplete: isTrueOrFalse,
  checkOutputQuality: isTrueOrFalse,
};

/**
 * Criteria from a configuration, whose keys may be in camelCase or in snake_case. What it leaves out has its default.
 *
 * @throws InvalidConfigError for unknown keys and wrong values
 */
export function criteriaFromConfig(config?: unknown): ReflectionCriteria {
  if (config === undefined || config === null) return { ...DEFAULT_CRITERIA };
  if (!isJsonObject(config)) throw new InvalidConfigError([{ path: '', message: 'must be an object' }]);
  return { ...DEFAULT_CRITERIA, ...soundFields(readFields(config, CRITERIA_CHECKS)) };
}
