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
import { readStream } from './streamed-reply';
import { typedError } from './typed-error';

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

/** Calls the model: as a stream if a reader watches and the model can stream. */
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
