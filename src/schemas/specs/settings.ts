import type { Budget } from '../../domain/state/loop-settings';
import { choosesStrategy } from '../../domain/spec/steps';
import type { Duration } from '../../domain/base/duration';
import type { ConvergenceSettings, LoopSettings, ReviewSettings } from '../../domain/state/loop-settings';
import type { BudgetSpec, ConvergenceSpec, ReflectionSpec, ReviewSpec } from '../../domain/spec/spec';
import { milliseconds } from '../../contract/values';

function budgetOf({ wallClock, ...limits }: BudgetSpec): Budget {
  return { ...limits, ...(wallClock === undefined ? {} : { wallClockMs: milliseconds(wallClock) }) };
}

function reviewOf({ when = 'never', timeout = '7d', onTimeout = 'stop' }: ReviewSpec): ReviewSettings | undefined {
  return when === 'never' ? undefined : { when, timeoutMs: milliseconds(timeout), onTimeout };
}

function convergenceOf(spec: ConvergenceSpec): ConvergenceSettings {
  return {
    plateauIterations: spec.plateauIterations ?? 2,
    improvementThreshold: spec.improvementThreshold ?? 0.05,
    detectOscillation: spec.detectOscillation ?? true,
    stabilityThreshold: spec.stabilityThreshold ?? 0.98,
    repeatedIssues: spec.repeatedIssues ?? 2,
  };
}

/** Node ends a longer timer at once: about 24 days, with room for what is added to it. */
const LONGEST_CALL_MS = 2_147_000_000;

/** The time that one call may take. */
export function callMilliseconds(duration: Duration): number {
  return Math.min(milliseconds(duration), LONGEST_CALL_MS);
}

/** Timeouts with defaults, in milliseconds. */
export function timeoutsOf({
  modelCall = '2m',
  step = '2m',
  retryFor = '1h',
}: NonNullable<ReflectionSpec['timeouts']> = {}) {
  return {
    modelCallMs: callMilliseconds(modelCall),
    stepMs: callMilliseconds(step),
    retryForMs: milliseconds(retryFor),
  };
}

/** A valid spec's settings, with defaults and in milliseconds. */
export function settingsOf(spec: ReflectionSpec): LoopSettings {
  const review = spec.review && reviewOf(spec.review);
  return {
    maxIterations: spec.maxIterations ?? 3,
    qualityThreshold: spec.qualityThreshold ?? 0.8,
    onFailure: spec.onFailure ?? 'return_best',
    bestVersionSelection: spec.bestVersionSelection ?? 'highest_score',
    preserveAllVersions: spec.preserveAllVersions ?? true,
    ...(spec.budget ? { budget: budgetOf(spec.budget) } : {}),
    ...(review ? { review } : {}),
    ...(spec.triggers ? { triggers: spec.triggers } : {}),
    ...(spec.judge?.relaxation ? { relaxation: spec.judge.relaxation } : {}),
    revision: {
      strategy: spec.revision?.strategy ?? 'hybrid',
      includePriorVersions: spec.revision?.includePriorVersions ?? false,
      includeReflectionHistory: spec.revision?.includeReflectionHistory ?? true,
      ...(spec.revision?.maxRevisionTokens === undefined ? {} : { maxRevisionTokens: spec.revision.maxRevisionTokens }),
    },
    choosesStrategy: choosesStrategy(spec),
    ...(spec.convergence === false ? {} : { convergence: convergenceOf(spec.convergence ?? {}) }),
    timeouts: timeoutsOf(spec.timeouts),
  };
}
