import { refusalOf } from '../../fetch/errors';
import { omitUndefined } from '../../base/defined';
import { usageOf } from '../answer';
import type { EmbeddingRequest } from '../embedding-call';
import { ModelReplyError } from '../reply-error';
import { outputLimit } from '../tokens/output-limit';
import { estimatePromptTokens } from '../tokens/token-counts';
import type { ServedModel } from '../own/served-model';
import type { ChatRequest } from '../types';

const TOKEN_BYTES = 4;

/**
 * Makes a call, and reports an answer that was refused by its reason: `NotFound` for one that refers to another address,
 * `ReplyTooLarge` for one that is too large. That one was paid for, so it counts: the prompt, and as many tokens as were read.
 * Throws ModelReplyError for those, and whatever else the call throws.
 */
export async function reportRefused<T>(
  config: ServedModel,
  request: ChatRequest | EmbeddingRequest,
  call: () => Promise<T>,
): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const refusal = refusalOf(error);
    if (!refusal) throw error;
    if (refusal.name === 'RedirectRefused') throw new ModelReplyError('NotFound', refusal.message);
    const isChat = 'messages' in request;
    const asked = isChat ? request : { messages: request.texts.map((content) => ({ role: 'user' as const, content })) };
    const prompt = await estimatePromptTokens(asked as ChatRequest);
    const most = isChat ? (outputLimit(config, request) ?? Infinity) : 0;
    const completion = Math.min(most, Math.ceil(refusal.bytes / TOKEN_BYTES));
    const usage = usageOf(omitUndefined({ prompt, completion, estimated: true as const }), config.prices);
    // The values of a model of the owner's own have a fixed limit.
    const more = config.custom ? '' : `; \`maxReplyBytes\` of the model "${config.name}" allows more`;
    const message = `${refusal.message} It is not asked for again${more}.`;
    throw new ModelReplyError('ReplyTooLarge', message, usage);
  }
}
