import { Runtime } from '@temporalio/worker';
import { modelFailureType } from '../activities/failures';
import type { ActivityDependencies } from '../activities/dependencies';
import { type Memory, memoryFrom } from '../lib/memory';
import { PackageMissing } from '../lib/optional-packages';
import { embedderOf } from './embedder';
import type { WorkOptions } from './work-options';

/** A run does not wait for its memory for more than a few seconds; within them, a silent connection is replaced and asked again. */
const QUERY_TIMEOUT_MS = 4_000;

interface WorkerMemory {
  dependencies: Pick<ActivityDependencies, 'insights' | 'memory' | 'memoryProblem'>;
  close(): Promise<void>;
}

/**
 * The memory that a worker's options name, or its environment if they do not say. The memory is opened when it is used. Throws
 * TypeError for settings that cannot be, such as an embedding model that is not configured; PackageMissing if an embedded memory
 * is requested and cannot be had. If none is requested, the worker has none, and runs get the reason.
 */
export function workerMemory(
  { memory: asked }: WorkOptions,
  env: NodeJS.ProcessEnv,
  models: Parameters<typeof embedderOf>[0],
): WorkerMemory {
  if (asked === false) return { dependencies: {}, close: async () => undefined };
  const isOpen = asked !== undefined && 'recall' in asked;
  const memory = isOpen ? asked : createMemory(asked, env, models);
  if (memory instanceof PackageMissing) {
    if (asked !== undefined || env['REFLECT_MEMORY_FOLDER']) throw memory;
    return { dependencies: { memoryProblem: memory.message }, close: async () => undefined };
  }
  return {
    dependencies: { insights: memory, ...(asked === undefined ? {} : { memory }) },
    close: async () => (isOpen ? undefined : memory.close()),
  };
}

function createMemory(
  asked: Exclude<WorkOptions['memory'], Memory | false>,
  env: NodeJS.ProcessEnv,
  models: Parameters<typeof embedderOf>[0],
): Memory | PackageMissing {
  const { embeddingModel = env['REFLECT_EMBEDDING_MODEL'], ...settings } = asked ?? {};
  const embedder = embedderOf(models, embeddingModel);
  const embedding = {
    ...(embedder && { embedder }),
    onEmbeddingFailure: (error: unknown) => {
      // A vendor's message may quote what was sent.
      Runtime.instance().logger.warn('the embedding model failed; memory goes by words', {
        model: embeddingModel,
        failure: modelFailureType(error),
      });
    },
  };
  try {
    return memoryFrom(env, { queryTimeoutMs: QUERY_TIMEOUT_MS, ...embedding, ...settings });
  } catch (error) {
    if (error instanceof PackageMissing) return error;
    throw error;
  }
}
