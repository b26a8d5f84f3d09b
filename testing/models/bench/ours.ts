import { ReflectionClient } from '../../../src/client';
import type { ReflectionSpec } from '../../../src/loop/contract/spec';
import type { ModelConfig } from '../../../src/lib/models/types';
import { createWorker } from '../../../src/worker';
import { FUNCTIONS } from '../functions';
import type { Task } from '../task';
import type { Made } from './arms';

/** Sampling temperature of versions after the draft, so that they differ. */
const AGAIN = 0.8;

/**
 * The loop as docs/revision.md recommends it for a small model and a check that costs no model call: a draft at temperature 0, then
 * samples of the same prompt, with the same budget of calls as the other arms. The schema of a task goes along by itself.
 */
export function specOf(
  task: Task,
  { calls, temperature, again = AGAIN }: { calls: number; temperature: number; again?: number },
): ReflectionSpec {
  const prompt = task.source === '' ? '{{ task }}' : '{{ task }}\n\n{{ state.source }}';
  const call = { action: 'llm.call', prompt, maxTokens: task.maxTokens } as const;
  return {
    name: task.id,
    task: task.instruction,
    state: { source: task.source },
    generator: { ...call, temperature },
    evaluator: task.evaluators,
    corrector: { ...call, temperature: again },
    // Samples do not depend on each other: one that is no better says nothing of the next.
    convergence: false,
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
