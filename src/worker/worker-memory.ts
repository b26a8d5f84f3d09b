import type { ActivityDependencies } from '../activities/index';
import { type Memory, memoryFrom, openMemory } from '../memory/index';
import type { WorkOptions } from './work-options';

/** What activities get of a worker's memory, and what closes it. */
export interface WorkerMemory {
  dependencies: Pick<ActivityDependencies, 'insights' | 'memory'>;
  close(): Promise<void>;
}

/** The memory that a worker's options or its environment name. It is opened when it is used. */
export function workerMemory({ memory: asked }: WorkOptions, env: NodeJS.ProcessEnv): WorkerMemory {
  if (asked === false) return { dependencies: {}, close: async () => undefined };
  const isOpen = asked !== undefined && 'recall' in asked;
  const memory: Memory = isOpen ? asked : asked ? openMemory(asked) : memoryFrom(env);
  return {
    dependencies: { insights: memory, ...(asked === undefined ? {} : { memory }) },
    close: async () => (isOpen ? undefined : memory.close()),
  };
}
