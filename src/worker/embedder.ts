import type { Embedder } from '../lib/memory';
import { createModels, type WorkerModels } from '../lib/models';
import { modelsOf } from './models-file/models-of-worker';

/** In a worker a recall waits for it, and a write as well: what takes longer is done without. */
const TIMEOUT_MS = 4_000;

const BY_HAND_MS = 30_000;

/** Creates a configured model's embedder. Throws TypeError now, and not in the first run that needs it. */
export function embedderOf(
  models: Pick<WorkerModels, 'embeddingModel' | 'embed'>,
  name: string | undefined,
  timeoutMs = TIMEOUT_MS,
): Embedder | undefined {
  if (!name) return undefined;
  const model = models.embeddingModel(name);
  if (typeof model !== 'string') throw new TypeError(`embeddingModel: ${model.message}`);
  return {
    model,
    async embed(texts, signal = new AbortController().signal) {
      return (await models.embed({ model: name, texts, timeoutMs, signal })).vectors;
    },
  };
}

/**
 * Creates the embedder that the environment names: `REFLECT_EMBEDDING_MODEL`, among the models of `REFLECT_MODELS` or at
 * `OPENAI_BASE_URL`.
 */
export function environmentEmbedder(env: NodeJS.ProcessEnv): Embedder | undefined {
  return embedderOf(createModels(modelsOf({}, env), env), env['REFLECT_EMBEDDING_MODEL'], BY_HAND_MS);
}
