import type { OpenAI } from 'openai';
import { omitUndefined } from '../base/defined';
import type { TokenUsage } from '../contract/values';
import { assertNoPage, usageOf } from './answer';
import { fieldOf, listIn } from './habits/read-json';
import { assertFewParts } from './habits/reply-size';
import { countTokens } from './tokens/token-counts';
import { ModelReplyError } from './reply-error';
import type { ChatRequest, ModelConfig } from './types';

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

/** Makes one call of `/embeddings`. Never retries. Throws ModelReplyError `NotFound` or `Empty`. */
export async function callEmbedding(
  client: OpenAI,
  config: ModelConfig,
  { texts, signal, timeoutMs }: Omit<EmbeddingRequest, 'model'>,
): Promise<EmbeddingReply> {
  const { headers, query } = config;
  const answer: unknown = await client.embeddings.create(
    // Without a format the vendor's client requests base64, which self-hosted servers rarely speak.
    { ...config.extraBody, model: config.model, input: [...texts], encoding_format: 'float' },
    omitUndefined({ signal, timeout: timeoutMs, maxRetries: 0, headers, query }),
  );
  assertNoPage(answer);
  const places = listIn(answer, 'data');
  assertFewParts(places.length);
  const asked = { messages: texts.map((content) => ({ role: 'user' as const, content })), signal, timeoutMs };
  const { prompt, estimated } = await countTokens(fieldOf(answer, 'usage'), asked, '');
  const usage = usageOf(omitUndefined({ prompt, completion: 0, estimated }), config.prices);
  const byIndex = new Map(places.map((place, at) => [fieldOf(place, 'index') ?? at, place] as const));
  const vectors = texts.map((_, index) => fieldOf(byIndex.get(index), 'embedding'));
  if (!vectors.every(isVector)) throw new ModelReplyError('Empty', 'The model gave no vector for a text.', usage);
  return { vectors, usage };
}
