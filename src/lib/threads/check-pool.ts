import { availableParallelism } from 'node:os';
import type { Answer, Question } from './answer';
import { CheckThread } from './check-thread';

/** The number of threads: one processor is left to the event loop. */
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

  /** Counts the threads that exist. */
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
