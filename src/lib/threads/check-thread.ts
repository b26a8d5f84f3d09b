import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { type Answer, PATIENCE, type Question } from './answer';
import { isStarvedSince, threadTimes } from './thread-time';
import { TimeLimitExceeded } from './time-limit';

const IS_SOURCE = extname(__filename) === '.ts';

/** The program of a thread, as a text, because it runs before anything could be compiled. */
const PROGRAM = `
const { parentPort, workerData } = require('node:worker_threads');
if (workerData.compiler) require(workerData.compiler);
const { answerTo } = require(workerData.answers);
parentPort.on('message', (question) => parentPort.postMessage(answerTo(question, require)));
parentPort.postMessage('ready');
`;

/** One value that is larger than the rest would end the process: far above what fits into the time limits of checks. */
const MAX_MEGABYTES = 1_024;
/** Beyond the time that a check has by itself: for reading what it is given, and for what cannot be interrupted. */
const GRACE_MS = 5_000;
/** The number of extensions of that time while other programs have the processor. */
const EXTENSIONS = 10;

/** The thread cannot be started: the machine has no memory or no descriptors left. */
export class ThreadUnavailable extends Error {
  override name = 'ThreadUnavailable';
}

class MemoryLimitExceeded extends TimeLimitExceeded {
  override name = 'MemoryLimitExceeded';
}

interface Waiting {
  resolve(answer: Answer): void;
  reject(error: Error): void;
}

/** A thread that answers one question at a time. It keeps no process from ending, unless a caller waits for an answer. */
export class CheckThread {
  readonly #worker: Worker;
  #waiting: Waiting | undefined;
  #isReady = false;
  #isOver = false;

  constructor(private readonly megabytes = MAX_MEGABYTES) {
    this.#worker = new Worker(PROGRAM, {
      eval: true,
      workerData: {
        answers: join(__dirname, `answer${extname(__filename)}`),
        ...(IS_SOURCE && { compiler: require.resolve('tsx/cjs') }),
      },
      // Of the environment, which has secrets, checks need nothing.
      env: IS_SOURCE ? process.env : {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: megabytes },
    });
    this.#worker.on('message', (message: Answer | 'ready') => this.#take(message));
    this.#worker.on('error', (error) => this.#end(this.#reason(error)));
    this.#worker.on('exit', () => this.#end(this.#reason(undefined)));
    this.#worker.unref();
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** @throws ThreadUnavailable, MemoryLimitExceeded, TimeLimitExceeded when it could not be interrupted and was ended */
  async ask(question: Question): Promise<Answer> {
    const longest = question.milliseconds * (1 + PATIENCE) + GRACE_MS;
    let timer: NodeJS.Timeout | undefined;
    this.#worker.ref();
    try {
      return await new Promise<Answer>((resolve, reject) => {
        this.#waiting = { resolve, reject };
        this.#worker.postMessage(question, []);
        const wait = (extensions: number): void => {
          const before = threadTimes();
          timer = setTimeout(() => {
            // If this thread waits for a processor, that one does, too.
            if (extensions > 0 && isStarvedSince(before)) return wait(extensions - 1);
            this.#end(new TimeLimitExceeded(`took longer than ${longest} ms`));
            return void this.end();
          }, longest);
        };
        wait(EXTENSIONS);
      });
    } finally {
      clearTimeout(timer);
      this.#waiting = undefined;
      this.#worker.unref();
    }
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await this.#worker.terminate();
  }

  #take(message: Answer | 'ready'): void {
    if (message === 'ready') this.#isReady = true;
    else this.#waiting?.resolve(message);
  }

  #reason(error: unknown): Error {
    if ((error as { code?: string } | undefined)?.code === 'ERR_WORKER_OUT_OF_MEMORY') {
      return new MemoryLimitExceeded(`took more than ${this.megabytes} MB of memory`);
    }
    const { message = '' } = (error ?? {}) as { message?: string };
    const said = message === '' ? '' : `: ${message}`;
    return this.#isReady ? new Error(`The thread of a check ended${said}`) : new ThreadUnavailable(`no thread${said}`);
  }

  #end(error: Error): void {
    this.#isOver = true;
    this.#waiting?.reject(error);
  }
}
