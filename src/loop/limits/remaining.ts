import type { TokenUsage } from '../../lib/contract/values';
import type { Budget, LoopSettings } from '../state/loop-settings';
import { currentIteration, type LoopState } from '../state/loop-state';
import { extendedBudget, iterationLimit } from './budget';

/** The number of rounds, as expensive as those before, below which a budget counts as nearly spent. */
const ROUNDS = 2;

const LAST = 'This is the last version that will be judged.';
const NEARLY_SPENT = 'The budget is nearly spent: this may be the last version that will be judged.';

type Spent = Pick<TokenUsage, 'totalTokens' | 'modelCalls' | 'usd'>;

function readSpending({ tokenUsage, pending, underway }: LoopState): Spent {
  const own = pending?.tokenUsage ?? underway?.tokenUsage;
  if (!own) return tokenUsage;
  return {
    totalTokens: tokenUsage.totalTokens - own.totalTokens,
    modelCalls: tokenUsage.modelCalls - own.modelCalls,
    usd: tokenUsage.usd === null || own.usd === null ? null : tokenUsage.usd - own.usd,
  };
}

function leavesLittle(limit: number | undefined, spent: number, rounds: number): boolean {
  return limit !== undefined && rounds > 0 && limit - spent < (ROUNDS * spent) / rounds;
}

function isNearlySpent(budget: Budget, state: LoopState): boolean {
  const { totalTokens, modelCalls, usd } = readSpending(state);
  const rounds = state.versions.at(-1)?.iteration ?? 0;
  return (
    leavesLittle(budget.tokens, totalTokens, rounds) ||
    leavesLittle(budget.modelCalls, modelCalls, rounds) ||
    (usd !== null && leavesLittle(budget.usd, usd, rounds))
  );
}

/** The line is one for all calls of a version, for caches of prompts. Undefined while enough is left, or unless the spec asks. */
export function remainingLine(
  settings: Pick<LoopSettings, 'maxIterations' | 'mostIterations' | 'budget'>,
  state: LoopState,
): string | undefined {
  const { budget } = settings;
  if (!budget?.announce) return undefined;
  const iteration = currentIteration(state) + (state.pending ? 0 : 1);
  if (iteration >= iterationLimit(settings, state)) return LAST;
  return isNearlySpent(extendedBudget(budget, state.extended)!, state) ? NEARLY_SPENT : undefined;
}
