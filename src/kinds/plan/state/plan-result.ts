import { bytesUpTo, jsonBytes } from '../../../lib/json/json-bytes';
import type { TaskResult } from '../contract/plan-results';

/** Leaves out the largest outputs until results fit. Dependent tasks have received them already. */
export function limitResults(results: readonly TaskResult[], limit: number): TaskResult[] {
  const sizes = results.map(({ output }) => (output === undefined ? 0 : jsonBytes(output)));
  // Each output is written once only: there may be a whole history of them, and workflow code has two seconds.
  let total =
    jsonBytes(results.map(({ output: _output, ...rest }) => rest)) + sizes.reduce((sum, size) => sum + size, 0);
  const left = new Set<number>();
  const largestFirst = sizes.map((_, index) => index).sort((a, b) => sizes[b]! - sizes[a]!);
  for (const index of largestFirst) {
    if (total <= limit) break;
    left.add(index);
    total -= sizes[index]!;
  }
  return results.map((result, index) =>
    left.has(index) ? { ...result, output: `(${sizes[index]} bytes of output are left out)` } : result,
  );
}

/** Bytes: every run of the plan holds all results. Reached only if large payloads are stored outside of histories. */
export const HELD_RESULT_BYTES = 64 * 1_024 * 1_024;

/** The result, or a failure if it is too much beside all others. */
export type HeldResult = (others: readonly TaskResult[], result: TaskResult) => TaskResult;

/** A check of results for one run of a plan: it counts each result once, because results do not change. */
export function heldResults(): HeldResult {
  const sizes = new WeakMap<TaskResult, number>();
  const bytesOf = (result: TaskResult): number => {
    const bytes = sizes.get(result) ?? bytesUpTo(result.output ?? null, HELD_RESULT_BYTES);
    sizes.set(result, bytes);
    return bytes;
  };
  return (others, result) => {
    const held = others.filter(({ taskId }) => taskId !== result.taskId).reduce((sum, each) => sum + bytesOf(each), 0);
    if (held + bytesOf(result) <= HELD_RESULT_BYTES) return result;
    const { taskId, ms } = result;
    const error =
      `OutputTooLarge: the results of the plan's tasks have more than ${HELD_RESULT_BYTES} bytes together. ` +
      'Let tasks hand back less, such as where they put what they made';
    return { taskId, success: false, error, ms };
  };
}
