import { createHash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { defined } from '../domain/base/defined';
import type { Json } from '../domain/base/json/json';
import type { StepLanguage } from '../domain/spec/spec';
import { CodeFailed, SandboxUnavailable } from './errors';
import type { Answer } from './process/frame';
import { Interpreter } from './process/interpreter';
import { makeWorkerFolder, removeWorkerFolder } from './jail-folder';
import { type LaunchSettings, launchOf } from './process/launch';
import { defaultLevel, launchSettings } from './level';
import { DEFAULT_LIMITS, stricter } from './limits';
import { fastestLanguage, missingForLanguage } from './packages';
import { Pool } from './process/pool';
import { Slots } from './process/slots';
import { makeSnapshot } from './process/snapshot';
import type { CodeJob, Execution, ExitReason, Sandbox, SandboxLevel, SandboxLimits } from './types';

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
   * of processor time). Its content is executed, in the sandbox, as Python, so nobody else may write there. Default:
   * each worker loads Python itself.
   */
  snapshotFolder?: string;
  /** Called after each execution. */
  onExecution?: (execution: Execution) => void;
}

const WARM_AT_MOST = 2;

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

  function launching(): Promise<LaunchSettings> {
    if (!settings) {
      workFolder();
      process.once('exit', removeFolder);
      settings = launchSettings(level, limits, folder!);
    }
    return settings;
  }

  async function start(language: StepLanguage): Promise<Interpreter> {
    try {
      const known = await launching();
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
          codeHash: createHash('sha256').update(job.code).digest('hex'),
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

/** Limits that options name; one that is undefined is not said. */
function limitsIn({ timeMs, memoryBytes, resultBytes, fileBytes }: SandboxOptions): Partial<SandboxLimits> {
  return defined({ timeMs, memoryBytes, resultBytes, fileBytes });
}
