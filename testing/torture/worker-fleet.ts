import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Barrier, REPORT, type WorkerOrder, type WorkerReport } from './barriers';
import type { Caller } from './caller';
import { packagePath } from './package-path';
import { pause } from './pause';
import type { Stall } from './stalls';

const ROOT = join(__dirname, '..', '..');
const START_ATTEMPTS = 5;
const KEPT_LINES = 20;

/** One worker process. */
export interface TortureWorker {
  name: string;
  child: ChildProcess;
  /** What it printed last that was not for us. */
  output: string[];
}

export interface FleetOptions {
  address: string;
  modelUrl: string;
  workers: number;
  /** Default: that of the package. */
  taskQueue?: string;
  /** A worker said that it stands at the barrier. */
  onReached?: (worker: TortureWorker, barrier: Barrier, caller?: Caller) => void;
  /** Its event loop stood still. */
  onStalled?: (worker: TortureWorker, stall: Stall) => void;
  /** A worker ended, and nobody had killed it. */
  onLost?: (worker: TortureWorker) => void;
}

const children = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

/** Worker processes, which are replaced when they are killed. */
export class WorkerFleet {
  readonly live: TortureWorker[] = [];
  readonly #options: FleetOptions;
  readonly #doomed = new Set<ChildProcess>();
  #count = 0;

  constructor(options: FleetOptions) {
    this.#options = options;
  }

  /** Starts as many workers as are missing. A start may meet a server that is down: it is tried again. */
  async fill(): Promise<void> {
    const missing = this.#options.workers - this.live.length;
    await Promise.all(Array.from({ length: missing }, () => this.#startPatiently()));
  }

  order(worker: TortureWorker, order: WorkerOrder): void {
    if (worker.child.connected) worker.child.send(order, () => {});
  }

  /** `kill -9`, after SIGTERM and so many milliseconds where it may drain first. Returns when it is gone. */
  async kill(worker: TortureWorker, drainMs?: number): Promise<{ at: number; until: number }> {
    const { child } = worker;
    this.#doomed.add(child);
    this.#forget(worker);
    const at = Date.now();
    if (child.exitCode === null && child.signalCode === null) {
      const exited = once(child, 'exit');
      if (drainMs !== undefined) {
        child.kill('SIGTERM');
        await Promise.race([exited, pause(drainMs)]);
      }
      child.kill('SIGKILL');
      await exited;
    }
    return { at, until: Date.now() };
  }

  async close(): Promise<void> {
    await Promise.all([...this.live].map((worker) => this.kill(worker)));
  }

  #forget(worker: TortureWorker): void {
    const place = this.live.indexOf(worker);
    if (place >= 0) this.live.splice(place, 1);
  }

  async #startPatiently(): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        this.live.push(await this.#start());
        return;
      } catch (error) {
        if (attempt === START_ATTEMPTS) throw error;
        await pause(500);
      }
    }
  }

  async #start(): Promise<TortureWorker> {
    this.#count += 1;
    const name = `w${this.#count}`;
    const child = spawn(process.execPath, ['--import', 'tsx', join(__dirname, 'worker-entry.ts')], {
      cwd: ROOT,
      env: {
        ...process.env,
        TEMPORAL_ADDRESS: this.#options.address,
        OPENAI_BASE_URL: this.#options.modelUrl,
        // So that kills are noticed often; `REFLECT_RECOVERY=standard npm run torture` tortures the default.
        REFLECT_RECOVERY: process.env['REFLECT_RECOVERY'] || 'steady',
        TORTURE_PACKAGE: packagePath(),
        TORTURE_WORKER: name,
        ...(this.#options.taskQueue === undefined ? {} : { REFLECT_TASK_QUEUE: this.#options.taskQueue }),
      },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    const worker: TortureWorker = { name, child, output: [] };
    children.add(child);
    await this.#untilReady(worker);
    return worker;
  }

  async #untilReady(worker: TortureWorker): Promise<void> {
    const { child, output } = worker;
    await new Promise<void>((resolve, reject) => {
      for (const stream of [child.stdout!, child.stderr!]) {
        createInterface({ input: stream }).on('line', (line) => {
          if (!line.startsWith(REPORT)) {
            output.push(line);
            output.splice(0, output.length - KEPT_LINES);
            return;
          }
          const report = JSON.parse(line.slice(REPORT.length)) as WorkerReport;
          if (report.kind === 'ready') resolve();
          if (report.kind === 'reached') this.#options.onReached?.(worker, report.barrier, report.caller);
          if (report.kind === 'stalled') this.#options.onStalled?.(worker, { at: report.at, until: report.until });
        });
      }
      child.once('exit', () => {
        children.delete(child);
        const wasLive = this.live.includes(worker);
        this.#forget(worker);
        if (wasLive && !this.#doomed.has(child)) this.#options.onLost?.(worker);
        reject(new Error(`${worker.name} ended before it was ready:\n${output.join('\n')}`));
      });
    });
  }
}
