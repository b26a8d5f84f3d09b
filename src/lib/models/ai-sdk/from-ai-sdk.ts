import { z } from 'zod';
import { omitUndefined } from '../../base/defined';
import type { CustomModel, ModelEmbeddingReply, ModelEmbeddingRequest, ModelRequest } from '../own/custom-model';
import { listIn } from '../habits/read-json';
import { mistakesOf } from '../own/mistakes';
import { assertSmallVectors } from '../own/value-size';
import { ModelReplyError } from '../reply-error';
import type { ModelPrices } from '../types';
import { type AiSdkEmbeddingModel, type AiSdkLanguageModel, assertAiSdkModel } from './ai-sdk-model';
import { callOptions, type SentAlong } from './call-options';
import { replyFrom } from './generated-reply';
import { typedError, answeredByPage, errorInside } from './typed-error';
import { MOST_ANSWER_BYTES } from '../../fetch/errors';
import { assertFewParts, ReadBytes } from '../habits/reply-size';
import { ModelCallError } from '../own/model-call-error';

/** A part of what `doStream` gives, as far as it is used: the same in the specifications v2, v3 and v4. */
const PART = z.looseObject({ type: z.string(), delta: z.unknown().optional(), error: z.unknown().optional() });

const STREAMED = z.object({
  stream: z.custom<AsyncIterable<unknown>>(isIterable, 'must be a stream'),
  response: z
    .object({ headers: z.record(z.string(), z.unknown()).optional().catch(undefined) })
    .optional()
    .catch(undefined),
});

/** Reasons of providers whose stream just ended. */
const NO_REASON: readonly unknown[] = ['other', 'unknown'];

/** Returns the error of a stream, which may report it as the provider did, or as a text. */
function errorOf(told: unknown): unknown {
  if (typeof told === 'string') return new ModelCallError('Interrupted', told);
  if (!(told instanceof Error)) return errorInside({ error: told }) ?? told;
  // It ended without a reason.
  return told.name === 'AI_InvalidResponseDataError'
    ? new ModelCallError('Interrupted', told.message, { cause: told })
    : told;
}

function hasReason(given: unknown): boolean {
  if (typeof given !== 'object' || given === null) return !NO_REASON.includes(given);
  const { unified, raw } = given as { unified?: unknown; raw?: unknown };
  return typeof raw === 'string' || !NO_REASON.includes(unified);
}

function isIterable(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

/** The parts whose pieces make up one part of a reply, which is not repeated as a whole. */
const PIECES: Readonly<Record<string, 'text' | 'reasoning'>> = { 'text-delta': 'text', 'reasoning-delta': 'reasoning' };

const WHOLE: readonly string[] = ['tool-call', 'tool-result', 'file', 'source'];

/** Gives what `doGenerate` would have returned. Throws `Interrupted` for a stream that ended before its reply did. */
async function readStream(streamed: unknown, onText: (piece: string) => void): Promise<unknown> {
  const read = STREAMED.safeParse(streamed);
  if (!read.success)
    throw new ModelReplyError('InvalidReply', "What doStream of the AI SDK's model returned is no stream.");
  const { stream, response } = read.data;
  if (String(response?.headers?.['content-type']).includes('text/html')) throw answeredByPage();
  const content: ({ type: string; text?: string; providerMetadata?: object } & object)[] = [];
  const bytes = new ReadBytes(MOST_ANSWER_BYTES);
  let warnings: unknown;
  let end: { usage?: unknown; finishReason?: unknown } | undefined;
  for await (const given of stream) {
    const { type, delta, error, ...more } = PART.catch({ type: 'unknown' }).parse(given);
    const kind = PIECES[type];
    if (type === 'error') throw errorOf(error);
    // Signatures come with the pieces of reasoning, or at its end; what is not readable has no pieces.
    if (type === 'reasoning-start') content.push({ type: 'reasoning', text: '' });
    const thought = type.startsWith('reasoning-') ? content.findLast((part) => part.type === 'reasoning') : undefined;
    const { providerMetadata } = more;
    if (thought && typeof providerMetadata === 'object')
      thought.providerMetadata = { ...thought.providerMetadata, ...providerMetadata };
    if (kind && typeof delta === 'string') {
      bytes.add(delta);
      const last = content.at(-1);
      if (last?.type === kind) last.text += delta;
      else content.push({ type: kind, text: delta });
    }
    if (kind === 'text' && typeof delta === 'string' && delta !== '') onText(delta);
    if (WHOLE.includes(type)) content.push({ ...(given as object), type });
    assertFewParts(content.length);
    if (type === 'stream-start') ({ warnings } = more);
    if (type === 'finish') end = more;
  }
  if (!end || !hasReason(end.finishReason))
    throw new ModelCallError('Interrupted', 'The stream ended before the reply did.');
  const { usage, finishReason } = end;
  return { content, usage, finishReason, warnings };
}

/** The options for the use of a model of the AI SDK. */
export interface AiSdkOptions extends SentAlong {
  /** The name in specs. Default: the model's id. */
  name?: string;
  /** Prices of its tokens; they take precedence over the worker's price table, which is read by the model's id. */
  prices?: ModelPrices;
  /**
   * Whether replies can be held to a JSON Schema. Default: what the model says of itself (`supportsStructuredOutputs`),
   * or true.
   */
  structuredOutput?: boolean;
  /** Whether it takes pictures. False: specs that send it some are refused before a run. Default true. */
  images?: boolean;
  /** Whether the model takes files. */
  files?: boolean;
  /** The embedding model that answers under the name of a language model. */
  embeddings?: AiSdkEmbeddingModel;
}

const EMBEDDED = z.object({
  embeddings: z.array(z.array(z.number())),
  usage: z.object({ tokens: z.unknown().optional() }).nullish(),
});

async function embed(
  model: AiSdkEmbeddingModel,
  { texts, signal }: ModelEmbeddingRequest,
  along: SentAlong,
): Promise<ModelEmbeddingReply> {
  const most = (await model.maxEmbeddingsPerCall) ?? texts.length;
  const size = most >= 1 ? most : 1;
  const vectors: number[][] = [];
  const counts: unknown[] = [];
  for (let from = 0; from < texts.length; from += size) {
    const values = texts.slice(from, from + size);
    const result: unknown = await model.doEmbed({ values, abortSignal: signal, ...along } as never);
    assertSmallVectors(listIn(result, 'embeddings'));
    const mistakes = mistakesOf(EMBEDDED, result);
    if (mistakes.length > 0) {
      throw new ModelReplyError(
        'InvalidReply',
        `What doEmbed of the AI SDK's model returned is wrong: ${mistakes.join('; ')}`,
      );
    }
    const { embeddings, usage } = EMBEDDED.parse(result);
    vectors.push(...embeddings);
    counts.push(usage?.tokens);
  }
  if (!counts.every((count): count is number => typeof count === 'number' && Number.isFinite(count)))
    return { vectors };
  return { vectors, usage: { promptTokens: counts.reduce((sum, count) => sum + count, 0) } };
}

async function convertErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw typedError(error);
  }
}

async function generateReply(model: AiSdkLanguageModel, request: ModelRequest, along: SentAlong): Promise<unknown> {
  const { reasoningEffort, onText } = request;
  // Older versions leave it to `providerOptions`.
  const isTaken = model.specificationVersion === 'v4' && reasoningEffort !== undefined;
  const options = {
    ...callOptions(request, along, model.specificationVersion),
    ...(isTaken && { reasoning: reasoningEffort }),
  } as never;
  if (!onText || !model.doStream) return model.doGenerate(options);
  return readStream(await model.doStream(options), onText);
}

/**
 * Makes a model of a worker from a model of Vercel's AI SDK: `models: [fromAiSdk(anthropic('claude-sonnet-4-5'))]`.
 * Language models generate, judge, revise and call tools; embedding models serve as `embeddingModel` of the memory. The
 * provider's package makes the calls, one for each attempt: the worker repeats them, and the package `ai` is not
 * needed. Calls of more texts than an embedding model takes at once are split.
 *
 * @param model of the specification v2, v3 or v4 (AI SDK 5, 6 and 7)
 * @throws TypeError for anything else
 */
export function fromAiSdk(model: AiSdkLanguageModel | AiSdkEmbeddingModel, options: AiSdkOptions = {}): CustomModel {
  const embeddings = typeof model === 'object' && model !== null && 'doEmbed' in model ? model : options.embeddings;
  const language = model === embeddings ? undefined : (model as AiSdkLanguageModel);
  if (embeddings) assertAiSdkModel(embeddings, 'doEmbed');
  if (language ?? !embeddings) assertAiSdkModel(model, 'doGenerate');
  const { name = model.modelId, prices, images, files, providerOptions, headers } = options;
  const along = omitUndefined({ providerOptions, headers });
  const { supportsStructuredOutputs } = model as { supportsStructuredOutputs?: unknown };
  const own = typeof supportsStructuredOutputs === 'boolean' ? supportsStructuredOutputs : undefined;
  const described = omitUndefined({
    name,
    model: model.modelId,
    // `openai.chat` and `openai.embedding` are one provider.
    provider: model.provider.split('.')[0] || model.provider,
    prices,
    images,
    files,
    structuredOutput: options.structuredOutput ?? own,
  });
  const embedding = embeddings && {
    embed: (request: ModelEmbeddingRequest) => convertErrors(() => embed(embeddings, request, along)),
  };
  if (!language) return { ...described, ...embedding! };
  return {
    ...described,
    ...embedding,
    call: (request) => convertErrors(async () => replyFrom(await generateReply(language, request, along), request)),
  };
}
