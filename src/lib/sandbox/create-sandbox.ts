import path from 'node:path';
import { createHash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { omitUndefined } from '../base/defined';
import { isJsonObject, type Json } from '../json/json';
import type { StepLanguage } from './languages';
import { CodeFailed, SandboxUnavailable } from './errors';
import type { Answer } from './process/frame';
import { Interpreter } from './process/interpreter';
import { makeWorkerFolder, removeWorkerFolder } from './jail-folder';
import { type LaunchSettings, launchOf } from './process/launch';
import { defaultLevel, launchSettings } from './level';
import { DEFAULT_LIMITS, stricter } from './limits';
import { fastestLanguage, missingForLanguage } from './packages';
import { Pool } from './process/pool';
import { makeSnapshot } from './process/snapshot';
import type { CodeJob, Execution, ExitReason, Sandbox, SandboxLevel, SandboxLimits } from './types';

class Slots {
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(count: number) {
    this.#free = count;
  }

  /** Resolves with what gives the place back. Rejects when the signal aborts first. */
  async take(signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted();
    if (this.#free > 0) this.#free -= 1;
    else await this.#wait(signal);
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free += 1;
    };
  }

  #wait(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const enter = () => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(enter), 1);
        reject(signal!.reason as Error);
      };
      signal?.addEventListener('abort', leave, { once: true });
      this.#waiting.push(enter);
    });
  }
}

export interface SandboxOptions extends Partial<SandboxLimits> {
  /**
   * The level that this worker demands; code is refused if the machine does not support it. Default `namespaces` on
   * Linux, otherwise `process`.
   */
  level?: SandboxLevel;
  /** Pieces of code that run at the same time. Default: the number of processors, at least 2. */
  maxConcurrent?: number;
  /** Number of processes kept ready for each language in use, 0..2. Default 2. */
  poolSize?: number;
  /**
   * A folder in which a snapshot of the loaded Python interpreter is shared with other workers (each of which saves 4 s
   * of processor time). Its content is executed, in the sandbox, as Python, so no other user may write there. Default:
   * each worker loads Python itself.
   */
  snapshotFolder?: string;
  /** Called after each execution. */
  onExecution?: (execution: Execution) => void;
}

const WARM_AT_MOST = 2;

const READ_MS = 10_000;

const READ_AT_MOST = 2_000;

function hashOf(code: string): string {
  return createHash('sha256').update(code).digest('hex');
}

/** The mistakes that an interpreter reports. Code that got out of it could write them itself. */
function mistakesOf(language: StepLanguage, answer: Answer, count: number): (string | undefined)[] {
  if (answer.kind === 'ended') throw new CodeFailed(language, answer.reason, answer.problem);
  const found = answer.kind === 'value' && Array.isArray(answer.value) ? answer.value : [];
  return Array.from({ length: count }, (_, index) => {
    const mistake = found[index] ?? null;
    if (!isJsonObject(mistake)) return undefined;
    const { name, message, line } = mistake;
    return new CodeFailed(
      language,
      'error',
      `${String(name)}: ${String(message)}`,
      typeof line === 'number' ? line : undefined,
    ).message;
  });
}

/** Makes a sandbox. Nothing is started before the first code runs. */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  const level = options.level ?? defaultLevel();
  const limits = { ...DEFAULT_LIMITS, ...limitsIn(options) };
  const slots = new Slots(options.maxConcurrent ?? Math.max(2, availableParallelism()));
  let folder: string | undefined;
  let settings: Promise<LaunchSettings> | undefined;
  let snapshot: Promise<string | undefined> | undefined;
  let granted = false;
  let demanded: Promise<void> | undefined;
  let closed = false;
  const living = new Set<Interpreter>();

  const workFolder = () => path.join((folder ??= makeWorkerFolder()), 'work');
  const removeFolder = () => folder !== undefined && removeWorkerFolder(folder);

  function prepareLaunch(): Promise<LaunchSettings> {
    if (!settings) {
      workFolder();
      process.once('exit', removeFolder);
      settings = launchSettings(level, limits, folder!);
    }
    return settings;
  }

  async function start(language: StepLanguage): Promise<Interpreter> {
    try {
      const known = await prepareLaunch();
      const name =
        language === 'python' ? await (snapshot ??= makeSnapshot(known.snapshots, options.snapshotFolder)) : undefined;
      if (closed) throw new Error('the worker stops');
      const interpreter = new Interpreter(launchOf(known, language, name), workFolder());
      living.add(interpreter);
      void interpreter.gone.then(() => living.delete(interpreter));
      await interpreter.ready;
      granted = true;
      return interpreter;
    } catch (error) {
      // Once it has worked, the machine grants it, and something else went wrong.
      if (granted)
        throw new CodeFailed(language, 'unavailable', `its process did not start: ${(error as Error).message}`);
      throw new SandboxUnavailable(level, (error as Error).message);
    }
  }

  /** The mistakes in code that was read before: a batch has one code for all items. */
  const read = new Map<string, string | undefined>();

  async function mistakesIn(
    language: StepLanguage,
    codes: readonly string[],
    signal?: AbortSignal,
  ): Promise<(string | undefined)[]> {
    const release = await slots.take(signal);
    let gone: Promise<void> = Promise.resolve();
    try {
      const { interpreter } = await pool.take(language);
      gone = interpreter.gone;
      const answer = await interpreter.run({ check: codes }, { ...limits, timeMs: READ_MS }, signal);
      return mistakesOf(language, answer, codes.length);
    } finally {
      void pool.fill(language);
      void gone.then(release);
    }
  }

  const pool = new Pool(start, Math.min(options.poolSize ?? WARM_AT_MOST, WARM_AT_MOST));

  return {
    level,

    problem: (language) => missingForLanguage(language)?.message,

    async run(job) {
      const missing = missingForLanguage(job.language);
      if (missing) throw missing;
      const release = await slots.take(job.signal);
      let gone: Promise<void> = Promise.resolve();
      let started = performance.now();
      let warm = false;
      const tell = (reason: ExitReason, memoryBytes?: number) =>
        options.onExecution?.({
          language: job.language,
          level,
          codeHash: hashOf(job.code),
          ms: Math.round(performance.now() - started),
          ...(memoryBytes === undefined ? {} : { memoryBytes }),
          reason,
          warm,
        });
      try {
        const taken = await pool.take(job.language);
        warm = taken.warm;
        gone = taken.interpreter.gone;
        started = performance.now();
        return await runIn(taken.interpreter, job, stricter(limits, job.limits), tell);
      } catch (error) {
        if (!(error instanceof CodeFailed)) tell('unavailable');
        throw error;
      } finally {
        // Not before: loading another takes the processor from what runs.
        void pool.fill(job.language);
        // It has been killed. Its place is free once its memory is.
        void gone.then(release);
      }
    },

    async check(language, codes, signal) {
      const missing = missingForLanguage(language);
      if (missing) throw missing;
      const keys = codes.map((code) => `${language} ${hashOf(code)}`);
      const unknown = [...new Map(keys.map((key, index) => [key, codes[index]!]))].filter(([key]) => !read.has(key));
      if (unknown.length > 0) {
        const found = await mistakesIn(
          language,
          unknown.map(([, code]) => code),
          signal,
        );
        for (const [index, [key]] of unknown.entries()) read.set(key, found[index]);
      }
      const answers = keys.map((key) => read.get(key));
      for (const oldest of read.keys()) {
        if (read.size <= READ_AT_MOST) break;
        read.delete(oldest);
      }
      return answers;
    },

    async demand() {
      if (granted) return;
      demanded ??= start(fastestLanguage() ?? 'javascript')
        .then((interpreter) => interpreter.end())
        .finally(() => {
          demanded = undefined;
        });
      await demanded;
    },

    warm: (language) => pool.fill(language),

    async close() {
      closed = true;
      await pool.close();
      await Promise.all([...living].map((interpreter) => interpreter.end()));
      await snapshot;
      process.removeListener('exit', removeFolder);
      removeFolder();
    },
  };
}

async function runIn(
  interpreter: Interpreter,
  { language, code, inputs, signal }: CodeJob,
  limits: SandboxLimits,
  tell: (reason: ExitReason, memoryBytes?: number) => void,
): Promise<Json | undefined> {
  const answer = await interpreter.run({ code, inputs, memoryBytes: limits.memoryBytes }, limits, signal);
  const reason = reasonOf(answer);
  tell(reason, 'memoryBytes' in answer ? answer.memoryBytes : undefined);
  if (answer.kind === 'value') return answer.value;
  signal?.throwIfAborted();
  if (answer.kind === 'ended') throw new CodeFailed(language, reason, answer.problem);
  throw new CodeFailed(language, reason, `${answer.name}: ${answer.message}`, answer.line);
}

const OUT_OF_MEMORY = /^(?:MemoryError|resource_error|InternalError: out of memory)|not enough memory|out of memory/i;

function reasonOf(answer: Answer): ExitReason {
  if (answer.kind === 'value') return 'result';
  if (answer.kind === 'ended') return answer.reason;
  if (answer.name === 'OutputLimit') return 'output';
  return OUT_OF_MEMORY.test(`${answer.name}: ${answer.message}`) ? 'memory' : 'error';
}

function limitsIn({ timeMs, memoryBytes, resultBytes, fileBytes }: SandboxOptions): Partial<SandboxLimits> {
  return omitUndefined({ timeMs, memoryBytes, resultBytes, fileBytes });
}
