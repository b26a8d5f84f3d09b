import { defined } from '../domain/base/defined';
import { NO_USAGE, type TokenUsage } from '../domain/base/tokens';
import type { ToolCall } from '../domain/step-state/tools';
import { outputTokensFor, priceOf } from './prices';
import { ModelReplyError } from './reply-error';
import type { ChatReply, ChatRequest, ModelConfig, ModelPrices } from './types';

/** What is left of an answer once it does not matter how it came. */
export interface Answer {
  text: string;
  refusal: string;
  toolCalls?: ToolCall[];
  /** Why the reply ended before the model had done; undefined when it had. */
  ended?: 'length' | 'content_filter';
  /** Undefined: the provider reports none. */
  tokens: { prompt: number; completion: number; total?: number } | undefined;
}

/** Output tokens at most: what the caller allows, or what its money buys. One at least, or the provider would refuse. */
export function outputLimit({ prices }: ModelConfig, { maxTokens, maxUsd }: ChatRequest): number | undefined {
  const affordable = prices && maxUsd !== undefined ? outputTokensFor(maxUsd, prices) : undefined;
  const limits = [maxTokens, affordable].filter((limit) => limit !== undefined);
  return limits.length === 0 ? undefined : Math.max(1, Math.min(...limits));
}

/** What a call cost: no tokens where the provider counts none, and then no known price. */
export function usageOf(tokens: Answer['tokens'], prices: ModelPrices | undefined): TokenUsage {
  // Some servers count with null.
  const promptTokens = tokens?.prompt ?? 0;
  const completionTokens = tokens?.completion ?? 0;
  return {
    ...NO_USAGE,
    promptTokens,
    completionTokens,
    totalTokens: tokens?.total ?? promptTokens + completionTokens,
    modelCalls: 1,
    usd: tokens && prices ? priceOf({ promptTokens, completionTokens }, prices) : null,
  };
}

/** Why calls of tools are left out of a reply. */
const UNASKED = 'the model called tools although it was offered none';

/**
 * The reply that an answer is.
 *
 * @param offered there are tools that the model may call; otherwise what it calls is left out
 * @throws ModelReplyError `Refused`, `Filtered` or `Empty`
 */
export function replyOf(answer: Answer, config: ModelConfig, offered: boolean): ChatReply {
  const usage = usageOf(answer.tokens, config.prices);
  if (answer.refusal !== '') throw new ModelReplyError('Refused', `The model refused: ${answer.refusal}`, usage);
  if (answer.ended === 'content_filter') {
    throw new ModelReplyError('Filtered', "The provider's content filter stopped the reply.", usage);
  }
  const cutOff = answer.ended === 'length';
  const toolCalls = offered ? (answer.toolCalls ?? []) : [];
  const isUnasked = !offered && (answer.toolCalls ?? []).length > 0;
  if (answer.text.trim() === '' && !cutOff && toolCalls.length === 0) {
    const why = isUnasked ? `The reply has no text: ${UNASKED}.` : 'The model sent an empty reply.';
    throw new ModelReplyError('Empty', why, usage);
  }
  return defined({
    text: answer.text,
    toolCalls: toolCalls.length > 0 ? toolCalls : undefined,
    cutOff,
    usage,
    warnings: isUnasked ? [UNASKED] : undefined,
  });
}

/** @throws ModelReplyError `NotFound` for text: the vendor's client hands over so what does not call itself JSON, such as a proxy's page */
export function assertNoPage<Reply>(reply: Reply | string): asserts reply is Reply {
  if (typeof reply !== 'string') return;
  throw new ModelReplyError('NotFound', 'The address answered with a page, not with a model: is the base URL right?');
}
