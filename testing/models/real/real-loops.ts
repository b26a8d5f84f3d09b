import { ReflectionClient } from '../../../src/client';
import type { ReflectionSpec } from '../../../src/loop/contract/spec';
import { createModels } from '../../../src/lib/models';
import type { ModelConfig } from '../../../src/lib/models/types';
import { createWorker } from '../../../src/worker';
import { checked } from '../bench/check';
import { revisionSpecOf } from '../bench/ours';
import { closeSandbox } from '../checks/code';
import { FUNCTIONS } from '../functions';
import { promptOf, type Task } from '../task';
import { allTasks } from '../tasks';
import { countingProxy } from './counting-proxy';

/** One thing that must be so with any endpoint, whatever its model is able to do. */
export interface RealCheck {
  name: string;
  /** Absent: it is so. */
  problem?: string;
}

const STRUCTURED = 3;
const LOOPS = ['extraction-order-1', 'extraction-contact-2', 'rewriting-notice', 'code-slug', 'summary-leak'];
const CALLS = 3;
/** More than a small model's context. */
const TOO_MANY_WORDS = 20_000;
const TIMEOUTS = { modelCall: '10m', retryFor: '1m' };

const JUDGED: ReflectionSpec = {
  name: 'judged',
  task: 'Write one sentence about rain.',
  generator: { action: 'llm.call', prompt: '{{ task }}', maxTokens: 100 },
  evaluator: { type: 'llm', prompt: 'Is it one sentence, and about rain?' },
  maxIterations: 2,
  timeouts: TIMEOUTS,
};

/** Runs loops, structured output and a failure against a real endpoint. What its model says is not judged. */
export async function realLoops(
  { address, model, baseUrl }: { address: string; model: string; baseUrl: string },
  told: (check: RealCheck) => void,
): Promise<RealCheck[]> {
  const proxy = await countingProxy(baseUrl);
  const config: ModelConfig = { name: 'real', model, baseUrl: proxy.baseUrl };
  const place = { address, taskQueue: `real-loops-${process.pid}-${Date.now()}` };
  const worker = await createWorker({ ...place, drainMs: 0, models: [config], actions: FUNCTIONS, memory: false });
  const working = worker.run();
  const client = await ReflectionClient.connect(place);
  const checks: RealCheck[] = [];
  const check = async (name: string, run: () => Promise<string | undefined>): Promise<void> => {
    const problem = await run().catch((error: unknown) => `failed: ${String(error).slice(0, 500)}`);
    const done = { name, ...(problem !== undefined && { problem }) };
    checks.push(done);
    told(done);
  };
  const looped = async (spec: ReflectionSpec): Promise<string | undefined> => {
    proxy.take();
    const { convergenceReason, tokenUsage, iterationsUsed } = await client.run(spec);
    const { calls, promptTokens, completionTokens } = proxy.take();
    const ours = [tokenUsage.modelCalls, tokenUsage.promptTokens, tokenUsage.completionTokens];
    const theirs = [calls, promptTokens, completionTokens];
    if (String(ours) !== String(theirs))
      return `counted calls and tokens ${String(ours)}, the server ${String(theirs)}`;
    if (iterationsUsed === 0 || convergenceReason === 'error') return `ended as ${convergenceReason}`;
    return undefined;
  };
  try {
    const all = allTasks();
    for (const task of all.filter(({ schema }) => schema).slice(0, STRUCTURED)) {
      await check(`structured output: ${task.id}`, () => structured(config, task));
    }
    for (const id of LOOPS) {
      const task = all.find((each) => each.id === id)!;
      const spec = revisionSpecOf(task, { calls: CALLS, temperature: 0 });
      await check(`a loop that ends, and its tokens: ${id}`, () => looped(spec));
    }
    await check('a judged loop that ends, and its tokens', () => looped(JUDGED));
    await check('a prompt that is too long is no other failure', () => tooLong(client));
    return checks;
  } finally {
    await client.close();
    worker.shutdown();
    await working;
    await proxy.close();
    await closeSandbox();
  }
}

async function structured(config: ModelConfig, task: Task): Promise<string | undefined> {
  const { text, cutOff } = await createModels([config]).call({
    messages: [{ role: 'user', content: promptOf(task) }],
    reply: { name: 'answer', schema: task.schema! },
    temperature: 0,
    maxTokens: 1_000,
    timeoutMs: 600_000,
    signal: new AbortController().signal,
  });
  const { valid, issues } = await checked(task, text);
  return valid || cutOff ? undefined : `not of its schema: ${issues.join('; ')}`;
}

/** A model with a large context may answer. */
async function tooLong(client: ReflectionClient): Promise<string | undefined> {
  const text = 'rain '.repeat(TOO_MANY_WORDS);
  const generator = { action: 'llm.call' as const, prompt: text, maxTokens: 10 };
  const spec: ReflectionSpec = { generator, evaluator: { type: 'regex', pattern: '.' }, timeouts: TIMEOUTS };
  try {
    await client.run(spec);
    return undefined;
  } catch (error) {
    const told = JSON.stringify(error, Object.getOwnPropertyNames(error)) + reasonsOf(error);
    return told.includes('Model.ContextLength') ? undefined : `failed as ${told.slice(0, 500)}`;
  }
}

function reasonsOf(error: unknown): string {
  const { message, type, cause } = (error ?? {}) as { message?: string; type?: string; cause?: unknown };
  return `${type ?? ''} ${message ?? ''}${cause === undefined ? '' : ` < ${reasonsOf(cause)}`}`;
}
