import { setTimeout as sleep } from 'node:timers/promises';
import { createModels } from '../../../src/lib/models';
import { circuitWaitOf, wasNotSent } from '../../../src/lib/models/circuits/not-sent';
import { ModelReplyError } from '../../../src/lib/models/reply-error';
import type { ChatReply, ModelConfig } from '../../../src/lib/models/types';
import { closeSandbox } from '../checks/code';
import type { Task } from '../task';
import { type Arm, type Ask, fits, isLoop, type Made, OUR_TEMPERATURE, OURS, PLAIN_ARMS, runPlain } from './arms';
import { checked } from './check';
import { BenchLog, type Outcome, type Settings } from './log';
import { type OurLoops, revisionSpecOf, specOf, startOurs } from './ours';
import { isOutage, type Patience, untilAnswers } from './outage';
import { revisionsOf } from './revisions';

export interface BenchOptions extends Settings {
  tasks: readonly Task[];
  arms: readonly Arm[];
  /** Base URL of the endpoint. Default: `OPENAI_BASE_URL`, or that of the provider. */
  baseUrl?: string;
  /** Of the Temporal server. */
  address: string;
  /** Where outcomes are kept. Default: nowhere. */
  log?: string;
  /** Arms whose earlier outcomes do not count, for example after a change of the loop. */
  again?: readonly Arm[];
  /** How long an endpoint that does not answer is waited for. Default: asked every 15 seconds, for an hour. */
  patience?: Patience;
  /** Called when the endpoint does not answer and is waited for. */
  onWait?: (why: string) => void;
  onProgress?: (done: number, of: number, last: Outcome) => void;
}

/** Nothing answers any more: what is left would all fail. */
export class BenchStopped extends Error {
  override readonly name = 'BenchStopped';
}

const TRIES = 3;
const BETWEEN_TRIES_MS = 2_000;
const CALL_TIME_MS = 600_000;
/** Failures in a row of an endpoint that answers, after which the benchmark ends. */
const FAILURES = 3;
const PATIENCE: Patience = { everyMs: 15_000, forMs: 3_600_000 };

/** One task for one arm. */
export interface Pair {
  task: Task;
  arm: Arm;
}

/** Every task for every arm that can do it, in the order in which they are done. */
export function pairsOf(tasks: readonly Task[], arms: readonly Arm[]): Pair[] {
  return tasks.flatMap((task) => arms.filter((arm) => fits(arm, task)).map((arm) => ({ task, arm })));
}

/**
 * Every task by every arm, one after the other, since times are measured.
 *
 * @throws BenchStopped
 */
export async function runBench(options: BenchOptions): Promise<Outcome[]> {
  const { tasks, arms, address, log: file, again = [], patience = PATIENCE, onWait, onProgress, ...rest } = options;
  const { model, baseUrl, calls, temperature, seed } = rest;
  const settings: Settings = {
    model,
    calls,
    seed,
    ...(temperature !== undefined && { temperature }),
  };
  const log = new BenchLog(file);
  const config: ModelConfig = { name: 'bench', model, ...(baseUrl !== undefined && { baseUrl }) };
  const ask = askOf(config);
  let loops: OurLoops | undefined;
  const makeBy = async (arm: Arm, task: Task): Promise<Made> => {
    if (!isLoop(arm)) {
      const plain = { ...PLAIN_ARMS[arm], ...(temperature !== undefined && { temperature }) };
      return runPlain(plain, task, ask, calls);
    }
    const forAll = temperature === undefined ? { temperature: OUR_TEMPERATURE } : { temperature, again: temperature };
    const spec = (arm === OURS ? specOf : revisionSpecOf)(task, { calls, ...forAll });
    return loops!.run(spec);
  };
  const makeMeasured = async (arm: Arm, task: Task): Promise<Measured> => {
    const first = await measured(task, arm, () => makeBy(arm, task));
    if (!first.isOutage) return first;
    onWait?.(first.outcome.error ?? '');
    if (!(await untilAnswers(config, patience)))
      throw new BenchStopped(`the endpoint does not answer: ${first.outcome.error}`);
    // Once more, since what it did before says nothing. Its seconds are those of this time.
    return measured(task, arm, () => makeBy(arm, task));
  };
  const pairs = pairsOf(tasks, arms);
  const outcomes: Outcome[] = [];
  let failures = 0;
  try {
    for (const { task, arm } of pairs) {
      const known = again.includes(arm) ? undefined : log.find(task, arm, settings);
      if (!known && isLoop(arm)) loops ??= await startOurs(address, config);
      const { outcome, more } = known ? { outcome: known } : await makeMeasured(arm, task);
      if (!known) log.add(task, arm, settings, { ...outcome, ...more });
      outcomes.push(outcome);
      onProgress?.(outcomes.length, pairs.length, outcome);
      failures = outcome.error === undefined ? 0 : failures + 1;
      if (failures === FAILURES) throw new BenchStopped(`${FAILURES} failures in a row, the last: ${outcome.error}`);
    }
    return outcomes;
  } finally {
    await loops?.close();
    await closeSandbox();
  }
}

interface Measured {
  outcome: Outcome;
  more?: { output: unknown; problems: string[] };
  /** It failed because the endpoint does not answer. */
  isOutage?: boolean;
}

/** What an arm made of a task, checked by both checks. */
async function measured(task: Task, arm: Arm, make: () => Promise<Made>): Promise<Measured> {
  const began = performance.now();
  const seconds = (): number => (performance.now() - began) / 1000;
  const base = { task: task.id, kind: task.kind, arm };
  try {
    const { output, usage, versions } = await make();
    const took = seconds();
    const { valid, value } = await checked(task, output);
    const problems = output === null ? ['there is no output'] : await task.truth(value);
    const { modelCalls: calls, promptTokens, completionTokens } = usage;
    const right = problems.length === 0;
    const revisions = versions && (await revisionsOf(task, versions));
    const outcome = { ...base, valid, right, calls, promptTokens, completionTokens, seconds: took };
    return {
      outcome: { ...outcome, ...(revisions && { revisions }) },
      more: { output, problems: problems.slice(0, 5) },
    };
  } catch (error) {
    const nothing = { valid: false, right: false, calls: 0, promptTokens: 0, completionTokens: 0 };
    const outcome = { ...base, ...nothing, seconds: seconds(), error: reasonOf(error) };
    return { outcome, isOutage: isOutage(error) };
  }
}

function reasonOf(error: unknown): string {
  const { message, cause } = error as { message?: string; cause?: unknown };
  const inner = cause === undefined || cause === null ? '' : ` (${reasonOf(cause)})`;
  return `${message ?? String(error)}${inner}`.slice(0, 500);
}

/** All arms ask through the client that the worker has, so that an endpoint's habits count for none of them. */
function askOf(config: ModelConfig): Ask {
  const models = createModels([config], process.env);
  const { signal } = new AbortController();
  return async (prompt, { temperature, maxTokens, schema }) => {
    for (let tries = 1; ; tries += 1) {
      try {
        return await models.call({
          messages: [{ role: 'user', content: prompt }],
          temperature,
          maxTokens,
          ...(schema && { reply: { name: 'answer', schema } }),
          timeoutMs: CALL_TIME_MS,
          signal,
        });
      } catch (error) {
        const reply = paidReply(error);
        if (reply) return reply;
        // An open circuit sent nothing, so that is no try.
        if (wasNotSent(error)) {
          tries -= 1;
          await sleep(circuitWaitOf(error) ?? BETWEEN_TRIES_MS);
          continue;
        }
        if (tries === TRIES || isPermanent(error)) throw error;
        await sleep(BETWEEN_TRIES_MS);
      }
    }
  };
}

/** A reply without text, or a refusal: an answer that was paid for, and that no check accepts. */
function paidReply(error: unknown): ChatReply | undefined {
  if (!(error instanceof ModelReplyError) || error.usage === undefined) return undefined;
  return { text: '', cutOff: false, usage: error.usage };
}

/** A request that the endpoint refuses is refused again. */
function isPermanent(error: unknown): boolean {
  const { status } = error as { status?: number };
  return status !== undefined && status >= 400 && status < 500 && ![408, 409, 429].includes(status);
}
