/** What model calls cost. `usd` is null once a call was made whose price is not known. */
export interface TokenUsage {
  promptTokens: number;
  completionTokens: number;
  totalTokens: number;
  /** Model calls that were answered; a call that failed has no known tokens and is not counted. */
  modelCalls: number;
  usd: number | null;
}

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
