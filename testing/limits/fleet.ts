import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SHARES_BUNDLES } from '../support/child-environment';
import type { WorkerOrder } from './worker-order';

const ENTRY = join(__dirname, 'worker-entry.ts');
const ROOT = join(__dirname, '..', '..');
const KEPT_CHARACTERS = 4_000;

const children = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

/** One worker process, started again whenever it dies, and what was seen of it. */
export class WorkerProcess {
  /** How often it died by itself. */
  deaths = 0;
  /** How it died last, and what it printed before. */
  lastDeath = '';
  /** Bytes of memory at most, of all processes so far. */
  peakBytes = 0;
  #child: ChildProcess | undefined;
  #output = '';
  #isWanted = true;
  readonly #timer: NodeJS.Timeout;

  private constructor(
    private readonly order: WorkerOrder,
    private readonly environment: NodeJS.ProcessEnv,
  ) {
    this.#timer = setInterval(() => this.#measure(), 500);
    this.#timer.unref();
  }

  /** Starts a worker and waits until it polls. */
  static async start(order: WorkerOrder, environment: NodeJS.ProcessEnv = {}): Promise<WorkerProcess> {
    const worker = new WorkerProcess(order, environment);
    await worker.#spawn();
    return worker;
  }

  /** What it printed last. */
  get output(): string {
    return this.#output;
  }

  /** `kill -9`; it is started again, and its death is not counted. */
  async kill(): Promise<void> {
    await this.#end();
    await this.#spawn();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#end();
  }

  async #end(): Promise<void> {
    const child = this.#child;
    this.#isWanted = false;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }

  async #spawn(): Promise<void> {
    this.#isWanted = true;
    const child = spawn(process.execPath, ['--import', 'tsx', ENTRY, JSON.stringify(this.order)], {
      cwd: ROOT,
      env: { ...process.env, ...SHARES_BUNDLES, OPENAI_API_KEY: 'sk-limits', ...this.environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    children.add(child);
    await new Promise<void>((resolve, reject) => {
      const read = (piece: Buffer): void => {
        this.#output = `${this.#output}${String(piece)}`.slice(-KEPT_CHARACTERS);
        if (this.#output.includes('ready\n')) resolve();
      };
      child.stdout.on('data', read);
      child.stderr.on('data', read);
      child.once('exit', (code, signal) => {
        children.delete(child);
        reject(new Error(`the worker ended (${signal ?? code}) before it was ready: ${this.#output}`));
        if (this.#isWanted && this.#child === child) this.#hasDied(`${signal ?? code}: ${this.#output.slice(-2_000)}`);
      });
    });
  }

  #hasDied(how: string): void {
    this.deaths += 1;
    this.lastDeath = how;
    this.#spawn().catch(() => undefined);
  }

  #measure(): void {
    const pid = this.#child?.pid;
    if (pid === undefined || process.platform !== 'linux') return;
    try {
      const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
      this.peakBytes = Math.max(this.peakBytes, Number(kilobytes ?? 0) * 1_024);
    } catch {
      // It has just ended.
    }
  }
}
