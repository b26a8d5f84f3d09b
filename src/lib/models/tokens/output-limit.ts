import { outputTokensFor } from '../prices';
import type { ChatRequest, ModelConfig } from '../types';
import type { CallForm } from '../habits/call-form';

/** The default limit of output tokens: all that small models can write, and enough for models that think. */
const DEFAULT_LIMIT = 16_384;

type Limits = Pick<ChatRequest, 'maxTokens' | 'tokensLeft' | 'maxUsd'>;

function defaultLimitOf({ maxOutputTokens = DEFAULT_LIMIT }: ModelConfig): number | undefined {
  return maxOutputTokens === false ? undefined : maxOutputTokens;
}

/**
 * Returns the maximum of output tokens: the smaller of the limit of the caller (or else of the model) and what the budget
 * leaves, and at least 1, which providers require. Undefined without a limit.
 */
export function outputLimit(
  config: ModelConfig,
  { maxTokens, tokensLeft, maxUsd }: Limits,
  { defaultLimit = true }: Partial<Pick<CallForm, 'defaultLimit'>> = {},
): number | undefined {
  const { prices } = config;
  const affordable = prices && maxUsd !== undefined ? outputTokensFor(maxUsd, prices) : undefined;
  const wanted = maxTokens ?? (defaultLimit ? defaultLimitOf(config) : undefined);
  const limits = [wanted, tokensLeft, affordable].filter((limit) => limit !== undefined);
  return limits.length === 0 ? undefined : Math.max(1, Math.min(...limits));
}

/** Returns whether the limit of a request is the default: then it is not missed if an endpoint refuses it. */
export function isDefaultLimit(config: ModelConfig, limits: Limits): boolean {
  const usual = defaultLimitOf(config);
  return usual !== undefined && limits.maxTokens === undefined && outputLimit(config, limits) === usual;
}

export function limitText(config: ModelConfig, request: Limits): string {
  const limit = outputLimit(config, request);
  if (limit === undefined) return 'The reply had no limit of output tokens: set `maxTokens` or `maxOutputTokens`.';
  const whose = isDefaultLimit(config, request) ? 'maxOutputTokens of the model' : 'maxTokens';
  return `The reply could have up to ${limit} tokens (${whose}): a lower limit, or a longer timeouts.modelCall, may help.`;
}
