import type { Json, JsonObject } from '../json/json';
import type { StepLanguage } from './languages';

/**
 * The levels of isolation of code, from the strongest. `namespaces`: a process with its own user, network, mount,
 * process and IPC namespaces, a root folder that contains the runtime alone, no privileges, and limits. `process`: a
 * process with limits and Node's permission model; it can reach the network if it escapes from its interpreter.
 * `trusted`: a process with an empty environment and a time limit, for your own code.
 */
export const SANDBOX_LEVELS = ['namespaces', 'process', 'trusted'] as const;
export type SandboxLevel = (typeof SANDBOX_LEVELS)[number];

export interface SandboxLimits {
  /** Milliseconds of wall-clock time, from when a loaded interpreter receives the code. Default 10000. */
  timeMs: number;
  /** Bytes that the code may use in addition to its interpreter. Default 128 MiB. */
  memoryBytes: number;
  /** Maximum bytes of a result as JSON. Default 2 MiB. */
  resultBytes: number;
  /** Maximum bytes that the code may write to files, which are deleted afterwards. Default 8 MiB. */
  fileBytes: number;
}

export interface CodeInputs {
  state: JsonObject;
  output?: Json;
  /** The event of a hook. Its keys win over those of the state. */
  event?: JsonObject;
}

export interface CodeJob {
  language: StepLanguage;
  code: string;
  /** `state` and its keys become variables; so do `output`, and `event` and its keys, where there are such. */
  inputs: CodeInputs;
  /** Limits that are stricter than those of the worker. */
  limits?: Partial<SandboxLimits>;
  signal?: AbortSignal;
}

/** The reason why a process ended. */
export type ExitReason =
  'result' | 'error' | 'time' | 'memory' | 'output' | 'channel' | 'crash' | 'cancelled' | 'unavailable';

/** A record of one execution, for the log. It contains nothing of the code or its data. */
export interface Execution {
  language: StepLanguage;
  level: SandboxLevel;
  /** SHA-256 of the code, in hexadecimal. */
  codeHash: string;
  /** Milliseconds from when a loaded interpreter received the code until it was killed. */
  ms: number;
  /** The largest resident memory of the process, in bytes; undefined if the system does not report it. */
  memoryBytes?: number;
  reason: ExitReason;
  /** Whether a process was ready. */
  warm: boolean;
}

/** Runs code where it can reach nothing. */
export interface Sandbox {
  readonly level: SandboxLevel;
  /**
   * Why code cannot run here: its interpreter is not installed.
   * @param code if undefined, any of the language
   */
  problem(language: StepLanguage, code?: string): string | undefined;
  /**
   * Finds for each piece of code the mistake that keeps it from being read; undefined if there is none. None of the code is
   * run. Throws CodeFailed when it could not be found out; SandboxUnavailable and PackageMissing as `run` does.
   */
  check(language: StepLanguage, codes: readonly string[], signal?: AbortSignal): Promise<(string | undefined)[]>;
  /**
   * Gives what the code returned or left in `result`; undefined when it did neither. Throws CodeFailed when the code fails or
   * goes beyond a limit; SandboxUnavailable when this machine cannot shut it in; PackageMissing when the interpreter is not
   * installed.
   */
  run(job: CodeJob): Promise<Json | undefined>;
  /**
   * Resolves when this machine is known to shut code in as far as the level says; the first time, by trying. Throws
   * SandboxUnavailable.
   */
  demand(): Promise<void>;
  /** Resolves when processes of a language are ready, as many as the pool may have. */
  warm(language: StepLanguage): Promise<void>;
  close(): Promise<void>;
}
