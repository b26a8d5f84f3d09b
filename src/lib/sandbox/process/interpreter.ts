import path from 'node:path';
import { type ChildProcess, spawn, type StdioOptions } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, closeSync, openSync, readdirSync, readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { type Answer, answerOf } from './frame';
import type { Launch } from './launch';
import type { CodeInputs, ExitReason } from '../types';

const FIRST_BYTES = 4_096;

/** Bytes of pieces, in one piece of memory: one-byte pieces would take a hundred times as much. */
class ReceivedBytes {
  #bytes = Buffer.alloc(0);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  add(chunk: Buffer): void {
    const needed = this.#length + chunk.length;
    if (needed > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(FIRST_BYTES, needed, this.#bytes.length * 2));
      this.#bytes.copy(larger, 0, 0, this.#length);
      this.#bytes = larger;
    }
    chunk.copy(this.#bytes, this.#length);
    this.#length = needed;
  }

  /** Returns all bytes that arrived, as text, and empties the buffer. */
  take(): string {
    const text = this.#bytes.toString('utf8', 0, this.#length);
    this.clear();
    return text;
  }

  clear(): void {
    this.#bytes = Buffer.alloc(0);
    this.#length = 0;
  }
}

const CLOSED_ON_EXEC = 0o2000000;
/** A table of descriptors for more would cost more than what it is for. */
const HIGHEST = 4_096;

/** Node closes those that it was started with only up to the sixteenth; a shell gives `<(secret)` as the 63rd. */
function inheritable(first: number): number[] {
  try {
    return readdirSync('/proc/self/fdinfo')
      .map(Number)
      .filter((descriptor) => descriptor >= first && descriptor <= HIGHEST && isInheritable(descriptor));
  } catch {
    return [];
  }
}

function isInheritable(descriptor: number): boolean {
  try {
    const [, flags] = /^flags:\s*([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8')) ?? [];
    return flags !== undefined && (Number.parseInt(flags, 8) & CLOSED_ON_EXEC) === 0;
  } catch {
    // It was the one that the folder was read with.
    return false;
  }
}

/** Starts a program that has these descriptors, and nothing instead of all others that it would inherit. */
function withOnly<Started>(descriptors: readonly ('ignore' | 'pipe')[], start: (stdio: StdioOptions) => Started) {
  const others = inheritable(descriptors.length);
  if (others.length === 0) return start([...descriptors]);
  const nothing = openSync('/dev/null', 'r');
  try {
    const length = Math.max(...others) + 1;
    return start(
      Array.from({ length }, (_, at) => descriptors[at] ?? (others.includes(at) ? nothing : ('ignore' as const))),
    );
  } finally {
    closeSync(nothing);
  }
}

interface InterpreterJob {
  code: string;
  inputs: CodeInputs;
  memoryBytes: number;
}

interface CheckJob {
  check: readonly string[];
}

const READY = 'ready\n';
const START_TIMEOUT_MS = 120_000;
const KEPT_ERROR_CHARACTERS = 4_000;
const ERROR_BYTES = 1_000_000;
const FRAME_BYTES = 16_384;

/** The data of the channel, which is taken for an attack until it is exactly in the agreed form. */
type Received = { kind: 'line'; text: string } | { kind: 'ended'; reason: ExitReason; problem: string };

/** A child process with an interpreter in it. It runs one piece of code, and is killed. */
export class Interpreter {
  /** Resolves when the interpreter is loaded; rejects with what went wrong. */
  readonly ready: Promise<void>;
  readonly gone: Promise<void>;
  readonly pid: number | undefined;
  #child: ChildProcess;
  #channel: Socket;
  #errors = '';
  #errorBytes = 0;
  #folder: string | undefined;
  #received = new ReceivedBytes();
  #limit = READY.length;
  #onLine: ((received: Received) => void) | undefined;
  #ended: Received | undefined;

  constructor(launch: Launch, workFolder: string) {
    if (launch.cwd === undefined) this.#folder = mkdtempSync(path.join(workFolder, 'run-'));
    const child = withOnly(['ignore', 'ignore', 'pipe', 'pipe'], (stdio) =>
      spawn(launch.command, launch.arguments, {
        cwd: launch.cwd ?? this.#folder,
        env: launch.env,
        // A separate process group, so that all of it can be killed at once.
        detached: true,
        stdio,
        windowsHide: true,
      }),
    );
    this.#child = child;
    this.pid = child.pid;
    this.#channel = child.stdio[3] as Socket;
    this.#channel.on('data', (chunk: Buffer) => this.#take(chunk));
    // A child that is killed while it is written to is expected.
    this.#channel.on('error', () => {});
    child.stderr!.on('data', (chunk: Buffer) => this.#takeError(chunk));
    child.stderr!.on('error', () => {});
    this.gone = new Promise((resolve) => {
      child.on('error', (error) => {
        this.#end('crash', error.message);
        resolve();
      });
      child.on('close', (code, signal) => {
        this.#end(...this.#whyEnded(code, signal));
        this.#removeFolder();
        resolve();
      });
    });
    this.ready = this.#start();
    this.ready.catch(() => {});
  }

  async #start(): Promise<void> {
    const received = await this.#next(START_TIMEOUT_MS);
    if (received.kind === 'line' && received.text === READY) return this.#hold(false);
    this.kill();
    throw new Error(received.kind === 'ended' ? received.problem : 'it said something else than that it is ready');
  }

  /** Whether it could still run something. */
  get alive(): boolean {
    return this.#ended === undefined;
  }

  /** Runs code, and ends the process whatever the result is. */
  async run(
    job: InterpreterJob | CheckJob,
    limits: { timeMs: number; resultBytes: number },
    signal?: AbortSignal,
  ): Promise<Answer> {
    const token = randomBytes(24).toString('hex');
    this.#limit = limits.resultBytes + FRAME_BYTES;
    this.#hold(true);
    const onAbort = () => this.#end('cancelled', 'it was cancelled');
    signal?.addEventListener('abort', onAbort, { once: true });
    if (signal?.aborted) onAbort();
    try {
      this.#channel.write(`${JSON.stringify({ token, job })}\n`);
      const received = await this.#next(limits.timeMs);
      if (received.kind === 'ended') return received;
      return answerOf(received.text, token, limits.resultBytes);
    } finally {
      signal?.removeEventListener('abort', onAbort);
      this.kill();
    }
  }

  /** Sets whether the interpreter keeps the worker from ending: it does while it works, and not while it is ready. */
  #hold(hold: boolean): void {
    for (const handle of [this.#child, this.#channel, this.#child.stderr as unknown as Socket]) {
      if (hold) handle.ref();
      else handle.unref();
    }
  }

  /** Kills the whole group. */
  kill(): void {
    const { pid } = this.#child;
    if (pid === undefined || this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      this.#child.kill('SIGKILL');
    }
  }

  async end(): Promise<void> {
    this.#hold(true);
    this.kill();
    await this.gone;
  }

  #next(timeoutMs: number): Promise<Received> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#end('time', `it took longer than ${timeoutMs} ms`), timeoutMs);
      this.#onLine = (received) => {
        clearTimeout(timer);
        this.#onLine = undefined;
        resolve(received);
      };
      if (this.#ended) this.#onLine(this.#ended);
    });
  }

  #take(chunk: Buffer): void {
    if (this.#ended) return;
    if (this.#received.length + chunk.length > this.#limit) return this.#end('output', 'its result is too large');
    this.#received.add(chunk);
    const end = chunk.indexOf(10);
    if (end === -1) return;
    if (end !== chunk.length - 1) return this.#end('channel', 'it wrote to the channel of results by itself');
    const text = this.#received.take();
    if (this.#onLine) this.#onLine({ kind: 'line', text });
    else this.#end('channel', 'it wrote to the channel of results by itself');
  }

  #takeError(chunk: Buffer): void {
    this.#errorBytes += chunk.length;
    if (this.#errors.length < KEPT_ERROR_CHARACTERS)
      this.#errors += chunk.toString('utf8').slice(0, KEPT_ERROR_CHARACTERS);
    if (this.#errorBytes > ERROR_BYTES) this.#end('output', 'it printed too much');
  }

  #end(reason: ExitReason, problem: string): void {
    if (this.#ended) return;
    this.#ended = { kind: 'ended', reason, problem };
    this.#received.clear();
    this.kill();
    this.#onLine?.(this.#ended);
  }

  #whyEnded(code: number | null, signal: string | null): [ExitReason, string] {
    const said = this.#errors.trim();
    if (/out of memory|OOM|allocation fail|bad_alloc|memory access|Cannot allocate/i.test(said))
      return ['memory', 'it used too much memory'];
    const how = signal === null ? `with code ${code}` : `by ${signal}`;
    const firstLine = said.split('\n').find((line) => line.trim() !== '');
    return ['crash', `its process ended ${how}${firstLine === undefined ? '' : `: ${firstLine.slice(0, 300)}`}`];
  }

  #removeFolder(): void {
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true });
    this.#folder = undefined;
  }
}
