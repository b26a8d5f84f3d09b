import type { TokenUsage } from '../contract/values';

export const NO_USAGE: TokenUsage = { promptTokens: 0, completionTokens: 0, totalTokens: 0, modelCalls: 0, usd: 0 };

function sumReported<Field extends 'cachedTokens' | 'reasoningTokens'>(
  field: Field,
  first: TokenUsage,
  second: TokenUsage,
): Pick<TokenUsage, Field> | undefined {
  if (first[field] === undefined && second[field] === undefined) return undefined;
  return { [field]: (first[field] ?? 0) + (second[field] ?? 0) } as Pick<TokenUsage, Field>;
}

/** Adds two usages; an unknown price makes the sum's price unknown, and an estimate the sum an estimate. */
export function addUsage(first: TokenUsage, second: TokenUsage | undefined): TokenUsage {
  if (!second) return first;
  return {
    promptTokens: first.promptTokens + second.promptTokens,
    completionTokens: first.completionTokens + second.completionTokens,
    totalTokens: first.totalTokens + second.totalTokens,
    modelCalls: first.modelCalls + second.modelCalls,
    usd: first.usd === null || second.usd === null ? null : first.usd + second.usd,
    ...sumReported('cachedTokens', first, second),
    ...sumReported('reasoningTokens', first, second),
    ...((first.estimated || second.estimated) && { estimated: true }),
  };
}
