import { ReflectionClient } from '../../../src/client';
import type { ReflectionResult } from '../../../src/loop/contract/results';
import type { ReflectionSpec } from '../../../src/loop/contract/spec';
import type { ModelConfig } from '../../../src/lib/models/types';
import { createWorker } from '../../../src/worker';
import { FUNCTIONS } from '../functions';
import type { Task } from '../task';
import type { Made } from './arms';
import { isOutage } from './outage';

/** Sampling temperature of versions after the draft, so that they differ. */
const AGAIN = 0.8;

interface LoopOptions {
  calls: number;
  /** Of the draft, and of the built-in revision. */
  temperature: number;
}

function callOf(task: Task) {
  const prompt = task.source === '' ? '{{ task }}' : '{{ task }}\n\n{{ state.source }}';
  return { action: 'llm.call', prompt, maxTokens: task.maxTokens } as const;
}

/** The loop with the built-in revision and its defaults, with the same budget of calls as the other arms. */
export function revisionSpecOf(task: Task, { calls, temperature }: LoopOptions): ReflectionSpec {
  return {
    name: task.id,
    task: task.instruction,
    state: { source: task.source },
    generator: { ...callOf(task), temperature },
    evaluator: task.evaluators,
    maxIterations: calls,
    budget: { modelCalls: calls },
    // An endpoint that does not answer is tried for an hour otherwise; the benchmark waits for it.
    timeouts: { modelCall: '10m', retryFor: '2m' },
  };
}

/**
 * The loop as docs/revision.md recommends it for a small model and a check that costs no model call: a draft at temperature 0, then
 * samples of the same prompt, with the same budget of calls as the other arms. The schema of a task goes along by itself.
 */
export function specOf(task: Task, { again = AGAIN, ...options }: LoopOptions & { again?: number }): ReflectionSpec {
  return {
    ...revisionSpecOf(task, options),
    corrector: { ...callOf(task), temperature: again },
    // Samples do not depend on each other: one that is no better says nothing of the next.
    convergence: false,
  };
}

/** A loop that ended because a step failed, and returned what it had. */
class LoopFailed extends Error {
  override readonly name = 'LoopFailed';
  readonly type: string;

  constructor({ type, message }: NonNullable<ReflectionResult['failure']>) {
    super(message);
    this.type = type;
  }
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
      const { finalOutput, tokenUsage, failure, history } = await client.run(spec);
      const failed = failure && new LoopFailed(failure);
      // What it had by then says nothing about the loop.
      if (isOutage(failed)) throw failed;
      return { output: finalOutput, usage: tokenUsage, versions: history.versions };
    },
    async close() {
      await client.close();
      worker.shutdown();
      await working;
    },
  };
}
