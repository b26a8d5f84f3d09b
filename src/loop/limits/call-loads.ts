import { isJsonObject, type Json } from '../../lib/json/json';
import { bytesUpTo, jsonBytes } from '../../lib/json/json-bytes';
import type { InputLimit } from '../../lib/limits/payload-limit';
import type { CallLoad } from './run-account';

/** A value that may be stored outside counts at most with the size from which values are. */
export function storedBytes(value: unknown, { storedFromBytes }: Partial<InputLimit> = {}): number {
  return storedFromBytes === undefined ? jsonBytes(value) : bytesUpTo(value, storedFromBytes);
}

/** The maximum size of an output, a state or a plan: see `payload-limit.ts`. */
export const LARGEST_OUTPUT = 1_950_000;

/** The most bytes that activities and child runs return, by their names; one that is not listed returns little. */
const RESULT_BYTES: Readonly<Record<string, number>> = {
  generate: LARGEST_OUTPUT,
  revise: LARGEST_OUTPUT,
  // A verdict's texts are bounded.
  evaluate: 256_000,
  repair: 256_000,
  // 16,384 characters, each of up to six bytes as JSON.
  tool: 100_000,
  recallInsights: 300_000,
  renderParameters: LARGEST_OUTPUT,
  reflectionLoop: LARGEST_OUTPUT,
  // A user's own child workflow.
  childWorkflow: LARGEST_OUTPUT,
};

const LITTLE = 64_000;

/** @param name of the activity, `reflectionLoop` for a child run of ours, or `childWorkflow` */
export function queuedLoad(name: string, bytes: number, limit?: InputLimit): CallLoad {
  // The results of workflows of users are in the history, unless they store them, too.
  const stored = name === 'childWorkflow' ? undefined : limit;
  return { bytes, resultBytes: resultBytes(limit?.resultBytes ?? RESULT_BYTES[name] ?? LITTLE, stored) };
}

/** The load of a local activity: evaluators that read a value out of an output return that, too. */
export function localLoad(name: string, input: unknown, limit?: InputLimit): CallLoad {
  const output = isJsonObject(input as Json) ? (input as { output?: Json }).output : undefined;
  const judged = name === 'evaluate' ? LITTLE + bytesUpTo(output, LARGEST_OUTPUT - LITTLE) : undefined;
  return {
    bytes: 0,
    resultBytes: resultBytes(judged ?? limit?.resultBytes ?? RESULT_BYTES[name] ?? LITTLE, limit),
    local: true,
  };
}

function resultBytes(bytes: number, { storedFromBytes = Infinity }: Partial<InputLimit> = {}): number {
  return Math.min(bytes, storedFromBytes);
}
