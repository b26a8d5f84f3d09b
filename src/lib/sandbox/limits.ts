import type { StepLanguage } from './languages';
import type { SandboxLimits } from './types';

const MEBIBYTE = 1024 * 1024;

export const DEFAULT_LIMITS: SandboxLimits = {
  timeMs: 10_000,
  memoryBytes: 128 * MEBIBYTE,
  resultBytes: 2 * MEBIBYTE,
  fileBytes: 8 * MEBIBYTE,
};

export function stricter(limits: SandboxLimits, asked: Partial<SandboxLimits> = {}): SandboxLimits {
  const pick = (key: keyof SandboxLimits) => Math.min(limits[key], asked[key] ?? Infinity);
  return {
    timeMs: pick('timeMs'),
    memoryBytes: pick('memoryBytes'),
    resultBytes: pick('resultBytes'),
    fileBytes: pick('fileBytes'),
  };
}

/** Address space that Node and the interpreter take before any code runs, measured. V8 reserves far more than it uses. */
const OWN_ADDRESS_SPACE: Record<StepLanguage, number> = {
  javascript: 960 * MEBIBYTE,
  lua: 960 * MEBIBYTE,
  prolog: 1_024 * MEBIBYTE,
  python: 1_024 * MEBIBYTE,
};

export function addressSpace(language: StepLanguage, memoryBytes: number): number {
  return OWN_ADDRESS_SPACE[language] + memoryBytes;
}

/** Seconds of processor time that starting an interpreter may take, beside those of the code. */
export const START_SECONDS = 60;

/** The maximum number of processes: enough for the threads of Node, and for nothing else. */
export const PROCESSES = 16;

/** Node's own heap; values of most interpreters live outside of it. */
export const HEAP_MEBIBYTES = 192;
