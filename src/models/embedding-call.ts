import type { OpenAI } from 'openai';
import type { TokenUsage } from '../domain/base/tokens';
import { assertNoPage, usageOf } from './answer';
import { ModelReplyError } from './reply-error';
import type { ChatRequest, ModelConfig } from './types';

/** Texts that are to become vectors, all in one call. */
export interface EmbeddingRequest extends Pick<ChatRequest, 'model' | 'timeoutMs' | 'signal'> {
  texts: readonly string[];
}

export interface EmbeddingReply {
  /** One for each text, in their order. */
  vectors: number[][];
  usage: TokenUsage;
}

function isVector(value: unknown): value is number[] {
  return Array.isArray(value) && value.length > 0 && value.every((number) => Number.isFinite(number));
}

/**
 * Makes one call of `/embeddings`. Never retries.
 *
 * @throws ModelReplyError `NotFound` when the address is no such endpoint, `Empty` when a text got no vector
 */
export async function embeddingCall(
  client: OpenAI,
  config: ModelConfig,
  { texts, signal, timeoutMs }: Omit<EmbeddingRequest, 'model'>,
): Promise<EmbeddingReply> {
  const answer = (await client.embeddings.create(
    // Without a format the vendor's client asks for base64, which servers of one's own rarely speak.
    { model: config.model, input: [...texts], encoding_format: 'float' },
    { signal, timeout: timeoutMs, maxRetries: 0 },
  )) as Awaited<ReturnType<typeof client.embeddings.create>> | string;
  assertNoPage(answer);
  const places: readonly { index?: number; embedding?: unknown }[] = Array.isArray(answer?.data) ? answer.data : [];
  const tokens = answer?.usage && { prompt: answer.usage.prompt_tokens, completion: 0 };
  const usage = usageOf(tokens, config.prices);
  const vectors = texts.map((_, index) => places.find((place, at) => (place.index ?? at) === index)?.embedding);
  if (!vectors.every(isVector)) throw new ModelReplyError('Empty', 'The model gave no vector for a text.', usage);
  return { vectors, usage };
}
