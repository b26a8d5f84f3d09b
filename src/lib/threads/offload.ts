import { BoundedCache } from './bounded-cache';
import { ThreadUnavailable, CheckThread } from './check-thread';
import { currentBudget, type TimeBudget } from './time-budget';
import { threadMilliseconds } from './thread-time';
import { TimeLimitExceeded, withTimeLimit, withTimeLimitOnce } from './time-limit';
import { availableParallelism } from 'node:os';
import type { Answer, Question } from './answer';

const MOST_THREADS = Math.max(1, Math.min(2, availableParallelism() - 1));
/** A thread holds some 60 MB. */
const IDLE_MS = 10_000;

interface Queued {
  question: Question;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

/**
 * Threads for checks of input that is not trusted: started on demand, ended when none was needed for a while. A caller
 * with several questions queues anew with each, so no caller waits for all questions of another one.
 */
export class CheckPool {
  readonly #idle: CheckThread[] = [];
  readonly #queue: Queued[] = [];
  #busy = 0;
  #last = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly size = MOST_THREADS,
    private readonly idleMs = IDLE_MS,
    private readonly megabytes?: number,
  ) {}

  get threads(): number {
    return this.#idle.length + this.#busy;
  }

  /**
   * @param signal the caller waits no more: a question that was not begun is not begun
   * @throws ThreadUnavailable, TimeLimitExceeded if the thread had to be ended
   */
  async ask(question: Omit<Question, 'id'>, signal?: AbortSignal): Promise<Answer> {
    signal?.throwIfAborted();
    let leave = (): void => undefined;
    try {
      return await new Promise<Answer>((resolve, reject) => {
        const queued: Queued = { question: { id: ++this.#last, ...question }, resolve, reject };
        leave = () => {
          const index = this.#queue.indexOf(queued);
          if (index === -1) return;
          this.#queue.splice(index, 1);
          reject(signal?.reason);
        };
        signal?.addEventListener('abort', leave, { once: true });
        this.#queue.push(queued);
        this.#startNext();
      });
    } finally {
      signal?.removeEventListener('abort', leave);
    }
  }

  /** Ends the threads that do nothing. New ones start when they are needed. */
  async endIdle(): Promise<void> {
    clearTimeout(this.#timer);
    await Promise.all(this.#idle.splice(0).map((thread) => thread.end()));
  }

  #startNext(): void {
    if (this.#busy >= this.size) return;
    const queued = this.#queue.shift();
    if (!queued) return;
    clearTimeout(this.#timer);
    this.#busy += 1;
    void this.#serve(queued);
  }

  async #serve({ question, resolve, reject }: Queued): Promise<void> {
    let thread: CheckThread | undefined;
    try {
      thread = this.#idleThread() ?? new CheckThread(this.megabytes);
      resolve(await thread.ask(question));
    } catch (error) {
      reject(error);
    }
    this.#busy -= 1;
    if (thread && !thread.isOver) this.#idle.push(thread);
    this.#startNext();
    if (this.#busy === 0) this.#endLater();
  }

  #idleThread(): CheckThread | undefined {
    let thread = this.#idle.pop();
    while (thread?.isOver) thread = this.#idle.pop();
    return thread;
  }

  #endLater(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.endIdle(), this.idleMs);
    this.#timer.unref();
  }
}

/** Milliseconds of one turn of the event loop that all checks have together. More is done in threads. */
const TURN_MS = 30;

let leftMs = TURN_MS;
let isTurning = false;

function spendTurnTime(milliseconds: number): void {
  leftMs -= milliseconds;
  if (isTurning) return;
  isTurning = true;
  setImmediate(() => {
    leftMs = TURN_MS;
    isTurning = false;
  });
}

/** The milliseconds for which one check may block the event loop: ordinary ones take a hundredth of it. */
const TRY_MS = 15;
/** More than one try, whose code may just have been cold. A slow operation is done in threads for a minute. */
const SLOW_MS = 1.5 * TRY_MS;
const REMEMBERED_MS = 60_000;
const REMEMBERED = 1_000;
const LONGEST_KEY = 20_000;
const REMEMBERED_CHARACTERS = 1_000_000;

/** A pure function whose time depends on input that is not trusted. Its input and output are JSON. */
interface Operation<Input, Output> {
  file: string;
  name: string;
  run(input: Input): Output;
  /** Makes what an input needs that takes long, and only once: it does not count. */
  warm?(input: NoInfer<Input>): void;
  /** Whether an input most likely takes less than some milliseconds: the event loop does it itself. */
  isSmall(input: NoInfer<Input>): boolean;
  /** The slow part of a small input: a schema, a pattern. */
  key(input: NoInfer<Input>): string;
}

const pool = new CheckPool();
const slow = new BoundedCache<{ until: number; spentMs: number }>({
  entries: REMEMBERED,
  size: REMEMBERED_CHARACTERS,
  sizeOf: (_known, { length }) => length,
});

/**
 * Makes a function that does an operation without blocking other work: in the event loop if it is small, and as long as it takes
 * some milliseconds; in a thread otherwise. The time counts for the budget that is in force. The function throws what the
 * operation throws, by name and message, and `TimeLimitExceeded`.
 */
export function offload<Input, Output>(operation: Operation<Input, Output>): (input: Input) => Promise<Output> {
  return async (input) => {
    const budget = currentBudget();
    budget.signal?.throwIfAborted();
    const isSmall = operation.isSmall(input);
    const tried = isSmall ? tryInLoop(operation, input, budget) : undefined;
    return tried ? tried.output : runInThread(operation, input, budget);
  };
}

export async function endIdleThreads(): Promise<void> {
  await pool.endIdle();
}

function tryInLoop<Input, Output>(
  operation: Operation<Input, Output>,
  input: Input,
  budget: TimeBudget,
): { output: Output } | undefined {
  const milliseconds = Math.min(TRY_MS, budget.leftMs, leftMs);
  if (milliseconds < 1) return undefined;
  operation.warm?.(input);
  const begun = performance.now();
  const key = () => `${operation.name}/${operation.key(input)}`.slice(0, LONGEST_KEY);
  if (slow.length > 0 && (slow.get(key())?.until ?? 0) > begun) return undefined;
  const before = threadMilliseconds();
  try {
    return { output: withTimeLimitOnce(milliseconds, () => operation.run(input)) };
  } catch (error) {
    if (!(error instanceof TimeLimitExceeded)) throw error;
    remember(key(), threadMilliseconds() - before, begun);
    return undefined;
  } finally {
    const spentMs = performance.now() - begun;
    spendTurnTime(spentMs);
    // The event loop was blocked for all of it; the check is charged for its time on a processor.
    budget.spend(Math.min(spentMs, threadMilliseconds() - before));
  }
}

function remember(key: string, spentMs: number, now: number): void {
  const known = slow.getOrMake(key, () => ({ until: 0, spentMs: 0 }));
  known.spentMs += spentMs;
  if (known.spentMs > SLOW_MS) known.until = now + REMEMBERED_MS;
}

async function runInThread<Input, Output>(
  { file, name, run }: Operation<Input, Output>,
  input: Input,
  budget: TimeBudget,
): Promise<Output> {
  const question = { file, name, input: JSON.stringify(input), milliseconds: Math.ceil(budget.leftMs) };
  try {
    const { output, failure, isLate, spentMs } = await pool.ask(question, budget.signal);
    budget.spend(spentMs);
    if (isLate) throw budget.makeError();
    if (failure) throw Object.assign(new Error(failure.message), { name: failure.name });
    return (output === undefined ? undefined : JSON.parse(output)) as Output;
  } catch (error) {
    if (!(error instanceof ThreadUnavailable)) throw error;
    // Better slow than not at all.
    return withTimeLimit(budget.leftMs, () => run(input));
  }
}
