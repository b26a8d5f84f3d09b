import { ReflectionClient } from '../../../src/client';
import type { ReflectionSpec } from '../../../src/domain/spec/spec';
import type { ModelConfig } from '../../../src/models/types';
import { createWorker } from '../../../src/worker';
import { FUNCTIONS } from '../functions';
import type { Task } from '../task';
import type { Made } from './arms';

/** The loop as one would write it for a task: the task, its checks, and the same budget of calls as the other arms. */
export function specOf(task: Task, { calls, temperature }: { calls: number; temperature: number }): ReflectionSpec {
  return {
    name: task.id,
    task: task.instruction,
    state: { source: task.source },
    generator: {
      action: 'llm.call',
      prompt: task.source === '' ? '{{ task }}' : '{{ task }}\n\n{{ state.source }}',
      temperature,
      maxTokens: task.maxTokens,
    },
    evaluator: task.evaluators,
    maxIterations: calls,
    budget: { modelCalls: calls },
    // An endpoint that does not answer is tried for an hour otherwise.
    timeouts: { modelCall: '10m', retryFor: '2m' },
  };
}

/** Loops on a real Temporal server, with a worker of their own. */
export interface OurLoops {
  run(spec: ReflectionSpec): Promise<Made>;
  close(): Promise<void>;
}

export async function startOurs(address: string, model: ModelConfig): Promise<OurLoops> {
  const place = { address, taskQueue: `bench-models-${process.pid}-${Date.now()}` };
  const worker = await createWorker({ ...place, drainMs: 0, models: [model], actions: FUNCTIONS, memory: false });
  const working = worker.run();
  const client = await ReflectionClient.connect(place);
  return {
    async run(spec) {
      const { finalOutput, tokenUsage } = await client.run(spec);
      return { output: finalOutput, usage: tokenUsage };
    },
    async close() {
      await client.close();
      worker.shutdown();
      await working;
    },
  };
}
