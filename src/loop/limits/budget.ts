import { renderCount } from '../../lib/text/counted';
import type { Budget, LoopSettings } from '../state/loop-settings';
import type { Extensions, LoopState } from '../state/loop-state';
import type { TokenUsage } from '../../lib/contract/values';

export type BudgetReason = 'token_budget' | 'cost_budget' | 'call_budget' | 'time_budget';

interface CallLimits {
  maxTokens?: number;
  /** US dollars, which the worker turns into output tokens by the model's price. */
  maxUsd?: number;
  /** Milliseconds until the time is up; at least 1. */
  timeLeftMs?: number;
}

/** Whether spending is limited by the usage of calls, so that each must wait for the usage of the one before it. */
export function countsCalls(budget: Budget | undefined): boolean {
  return budget?.tokens !== undefined || budget?.usd !== undefined || budget?.modelCalls !== undefined;
}

/** Spent ≥ budget, with extensions. An unknown cost counts as reached: going on might cost anything. `now`: epoch milliseconds. */
export function reachedBudget(
  own: Budget | undefined,
  { tokenUsage, startedAt, timeIsUp, extended }: Pick<LoopState, 'tokenUsage' | 'startedAt' | 'timeIsUp' | 'extended'>,
  now: number,
): BudgetReason | undefined {
  const budget = extendedBudget(own, extended);
  if (!budget) return undefined;
  const { tokens, usd, modelCalls, wallClockMs } = budget;
  // The time comes first, because it also ends work that costs nothing.
  if (wallClockMs !== undefined && (timeIsUp || now - startedAt >= wallClockMs)) return 'time_budget';
  if (tokens !== undefined && tokenUsage.totalTokens >= tokens) return 'token_budget';
  if (usd !== undefined && (tokenUsage.usd === null || tokenUsage.usd >= usd)) return 'cost_budget';
  if (modelCalls !== undefined && tokenUsage.modelCalls >= modelCalls) return 'call_budget';
  return undefined;
}

/** The rest of the budget for the next call. Called only while no limit is reached. */
export function callLimits(
  budget: Budget | undefined,
  { tokenUsage, startedAt, extended }: Pick<LoopState, 'tokenUsage' | 'startedAt' | 'extended'>,
  now: number,
): CallLimits {
  const { tokens, usd, wallClockMs } = extendedBudget(budget, extended) ?? {};
  return {
    ...(tokens === undefined ? {} : { maxTokens: Math.max(1, Math.floor(tokens - tokenUsage.totalTokens)) }),
    ...(usd === undefined ? {} : { maxUsd: Math.max(0, usd - (tokenUsage.usd ?? usd)) }),
    ...(wallClockMs === undefined ? {} : { timeLeftMs: Math.max(1, startedAt + wallClockMs - now) }),
  };
}

const NAMES: Record<BudgetReason, string> = {
  token_budget: 'token budget',
  cost_budget: 'cost budget',
  call_budget: 'budget of model calls',
  time_budget: 'time budget',
};

export function budgetName(reason: BudgetReason): string {
  return NAMES[reason];
}

export function spendingText({ totalTokens, modelCalls, usd }: TokenUsage, budget: Budget | undefined): string {
  const of = (limit: number | undefined, prefix = ''): string => (limit === undefined ? '' : ` of ${prefix}${limit}`);
  const renderSpent = (count: number, limit: number | undefined, noun: string): string =>
    renderCount(limit ?? count, noun, `${count}${of(limit)}`);
  const dollars = usd === null ? 'an unknown cost' : `$${usd.toFixed(4)}`;
  const cost = budget?.usd === undefined && !usd ? '' : `, ${dollars}${of(budget?.usd, '$')}`;
  return `${renderSpent(totalTokens, budget?.tokens, 'token')} in ${renderSpent(modelCalls, budget?.modelCalls, 'model call')}${cost}`;
}

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

/** A budget with the extensions by users. A limit that the spec does not set stays unset. */
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
