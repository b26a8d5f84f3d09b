import { outputLimit } from './output-limit';
import { estimatePromptTokens } from './token-counts';
import { ModelReplyError } from '../reply-error';
import type { ChatRequest, ModelConfig } from '../types';

/** Tokens are estimated: a prompt counts as too large only if it is so even when the estimate is this much too high. */
const SURE = 0.8;
/** The tokens of a reply for which the estimate leaves none. */
const LEAST_REPLY = 256;

/**
 * Fits a request into its model's context window: with no more room for the reply than the prompt leaves.
 *
 * @throws ModelReplyError `ContextLength` for a prompt that is larger than the window; nothing is sent then
 */
export async function fitRequest(config: ModelConfig, request: ChatRequest): Promise<ChatRequest> {
  const { contextWindow } = config;
  if (contextWindow === undefined) return request;
  const prompt = await estimatePromptTokens(request);
  if (prompt * SURE >= contextWindow) {
    const message = `The prompt has about ${prompt} tokens, and the context window of ${config.name} has ${contextWindow}: nothing was sent.`;
    throw new ModelReplyError('ContextLength', message);
  }
  const room = Math.max(LEAST_REPLY, contextWindow - prompt);
  const limit = outputLimit(config, request);
  if (limit === undefined || limit <= room) return request;
  return { ...request, tokensLeft: Math.min(room, request.tokensLeft ?? room) };
}
