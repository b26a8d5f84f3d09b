import type { Budget, LoopSettings } from '../state/loop-settings';
import type { Extensions, LoopState } from '../state/loop-state';

/** The maximum number of versions of a loop, however often it is extended. */
export const MOST_ITERATIONS = 10_000;

export function iterationLimit(
  settings: Pick<LoopSettings, 'maxIterations' | 'mostIterations'>,
  state: Pick<LoopState, 'extended'>,
): number {
  const added = state.extended?.iterations;
  return added === undefined
    ? settings.maxIterations
    : Math.min(settings.mostIterations ?? MOST_ITERATIONS, settings.maxIterations + added);
}

/** Returns a budget with the extensions by users. A limit that the spec does not set stays unset. */
export function extendedBudget(budget: Budget | undefined, extended: Extensions | undefined): Budget | undefined {
  if (!budget || !extended) return budget;
  return {
    ...budget,
    ...(budget.tokens === undefined ? {} : { tokens: budget.tokens + (extended.tokens ?? 0) }),
    ...(budget.usd === undefined ? {} : { usd: budget.usd + (extended.usd ?? 0) }),
  };
}

/** Adds two extensions; a field is there if one of the two has it. */
export function addExtensions(first: Extensions | undefined, second: Extensions): Extensions {
  const sum = (key: keyof Extensions): Extensions => {
    const values = [first?.[key], second[key]].filter((value) => typeof value === 'number');
    return values.length === 0 ? {} : { [key]: values.reduce((total, value) => total + value, 0) };
  };
  return { ...sum('iterations'), ...sum('tokens'), ...sum('usd') };
}
