import type { Budget } from '../domain/budget';
import type { LoopSettings } from '../domain/loop-settings';
import type { BudgetSpec, ReflectionSpec } from '../domain/spec';
import { milliseconds } from './values';

function budgetOf({ wallClock, ...limits }: BudgetSpec): Budget {
  return { ...limits, ...(wallClock === undefined ? {} : { wallClockMs: milliseconds(wallClock) }) };
}

/** A valid spec's settings, with defaults and in milliseconds. */
export function settingsOf(spec: ReflectionSpec): LoopSettings {
  return {
    maxIterations: spec.maxIterations ?? 3,
    qualityThreshold: spec.qualityThreshold ?? 0.8,
    onFailure: spec.onFailure ?? 'return_best',
    bestVersionSelection: spec.bestVersionSelection ?? 'highest_score',
    preserveAllVersions: spec.preserveAllVersions ?? true,
    ...(spec.budget ? { budget: budgetOf(spec.budget) } : {}),
    timeouts: {
      modelCallMs: milliseconds(spec.timeouts?.modelCall ?? '2m'),
      stepMs: milliseconds(spec.timeouts?.step ?? '2m'),
      retryForMs: milliseconds(spec.timeouts?.retryFor ?? '1h'),
    },
  };
}
