import type { TokenUsage } from '../../contract/values';
export type { TokenUsage } from '../../contract/values';

/** The cost of nothing. */
export const NO_USAGE: TokenUsage = { promptTokens: 0, completionTokens: 0, totalTokens: 0, modelCalls: 0, usd: 0 };

/** The sum; an unknown price makes the sum's price unknown. */
export function addUsage(first: TokenUsage, second: TokenUsage | undefined): TokenUsage {
  if (!second) return first;
  return {
    promptTokens: first.promptTokens + second.promptTokens,
    completionTokens: first.completionTokens + second.completionTokens,
    totalTokens: first.totalTokens + second.totalTokens,
    modelCalls: first.modelCalls + second.modelCalls,
    usd: first.usd === null || second.usd === null ? null : first.usd + second.usd,
  };
}
