import { Worker } from 'node:worker_threads';
import { resolveOptional } from '../optional-packages';
import { toError } from '../base/message-of';

/** Text, because the thread runs what Node itself can read, whether we were compiled or not. */
const PROGRAM = `
const { parentPort, workerData } = require('node:worker_threads');
const { PGlite } = require(workerData.module);
const opening = PGlite.create({ dataDir: workerData.folder });
const failureOf = (error) => ({ message: String(error?.message ?? error), code: error?.code });
let turn = opening.then(() => parentPort.postMessage({ id: 0 }), (error) => parentPort.postMessage({ id: 0, failure: failureOf(error) }));
parentPort.on('message', ({ id, sql, parameters }) => {
  turn = turn.then(async () => {
    try {
      const lite = await opening;
      if (sql === undefined) { await lite.close(); parentPort.postMessage({ id, rows: [] }); return; }
      const { rows } = await lite.query(sql, parameters);
      parentPort.postMessage({ id, rows });
    } catch (error) {
      parentPort.postMessage({ id, failure: failureOf(error) });
    }
  });
});
`;

interface Answer {
  id: number;
  rows?: unknown[];
  failure?: { message: string; code?: string };
}

interface Waiting {
  resolve(rows: unknown[]): void;
  reject(error: Error): void;
}

/**
 * PGlite in a thread of its own: it is PostgreSQL in WebAssembly, and a long query would hold up the heartbeats of everything
 * else that this process does.
 */
export class PGliteThread {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  #last = 0;
  #ended: Error | undefined;

  private constructor(folder: string) {
    const workerData = { folder, module: resolveOptional('Embedded memory', '@electric-sql/pglite') };
    this.#worker = new Worker(PROGRAM, { eval: true, workerData });
    this.#worker.on('message', (answer: Answer) => this.#take(answer));
    this.#worker.on('error', (error) => this.#end(toError(error)));
    this.#worker.on('exit', () => this.#end(new Error('the thread of the embedded memory has ended')));
  }

  static async open(folder: string): Promise<PGliteThread> {
    const thread = new PGliteThread(folder);
    try {
      await thread.#answer(0);
      return thread;
    } catch (error) {
      await thread.#worker.terminate();
      throw error;
    }
  }

  /** False once its thread has ended, of itself or by `close`. */
  get isOpen(): boolean {
    return this.#ended === undefined;
  }

  async query(sql: string, parameters: readonly unknown[]): Promise<unknown[]> {
    return this.#ask({ sql, parameters });
  }

  async close(): Promise<void> {
    try {
      await this.#ask({});
    } finally {
      await this.#worker.terminate();
    }
  }

  async #ask(question: { sql?: string; parameters?: readonly unknown[] }): Promise<unknown[]> {
    if (this.#ended) throw this.#ended;
    const id = ++this.#last;
    const answer = this.#answer(id);
    this.#worker.postMessage({ id, ...question }, []);
    return answer;
  }

  #answer(id: number): Promise<unknown[]> {
    // A process that has nothing else to do ends, unless a caller waits for an answer.
    this.#worker.ref();
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
  }

  #take({ id, rows = [], failure }: Answer): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (this.#waiting.size === 0) this.#worker.unref();
    if (failure) waiting?.reject(Object.assign(new Error(failure.message), { code: failure.code }));
    else waiting?.resolve(rows);
  }

  #end(error: Error): void {
    this.#ended ??= error;
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}
