import type { Embedder } from '../memory/index';
import { createModels, type WorkerModels } from '../models/index';

/** A recall waits for it, and a write as well: what takes longer is done without. */
const TIMEOUT_MS = 10_000;

/**
 * The embedder that a configured model is.
 *
 * @throws TypeError for a name that is not configured: found out now, and not by the first run that needs it
 */
export function embedderOf(
  models: Pick<WorkerModels, 'embeddingModel' | 'embed'>,
  name: string | undefined,
): Embedder | undefined {
  if (!name) return undefined;
  const model = models.embeddingModel(name);
  if (typeof model !== 'string') throw new TypeError(`embeddingModel: ${model.message}`);
  return {
    model,
    async embed(texts, signal = new AbortController().signal) {
      return (await models.embed({ model: name, texts, timeoutMs: TIMEOUT_MS, signal })).vectors;
    },
  };
}

/**
 * The embedder that the environment names: `REFLECT_EMBEDDING_MODEL`, at `OPENAI_BASE_URL`.
 */
export function environmentEmbedder(env: NodeJS.ProcessEnv): Embedder | undefined {
  return embedderOf(createModels([], env), env['REFLECT_EMBEDDING_MODEL']);
}
