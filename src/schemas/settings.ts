import type { Budget } from '../domain/budget';
import type { LoopSettings, ReviewSettings } from '../domain/loop-settings';
import type { BudgetSpec, ReflectionSpec, ReviewSpec } from '../domain/spec';
import { milliseconds } from './values';

function budgetOf({ wallClock, ...limits }: BudgetSpec): Budget {
  return { ...limits, ...(wallClock === undefined ? {} : { wallClockMs: milliseconds(wallClock) }) };
}

function reviewOf({ when, timeout = '7d', onTimeout = 'stop' }: ReviewSpec): ReviewSettings | undefined {
  return when === 'never' ? undefined : { when, timeoutMs: milliseconds(timeout), onTimeout };
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
    timeouts: {
      modelCallMs: milliseconds(spec.timeouts?.modelCall ?? '2m'),
      stepMs: milliseconds(spec.timeouts?.step ?? '2m'),
      retryForMs: milliseconds(spec.timeouts?.retryFor ?? '1h'),
    },
  };
}
