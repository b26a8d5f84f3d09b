import { bytesUpTo } from '../call-loads';
import type { TaskResult } from '../reflector/types';

/**
 * Bytes of all that a plan's tasks handed back at most. Every run of the plan holds all of it, and a task that names nothing of
 * it is given all of it. Only where large payloads are stored outside of histories can there be so much.
 */
export const HELD_RESULT_BYTES = 64 * 1_024 * 1_024;

/** A result stays as it is: each is counted once. */
const sizes = new WeakMap<TaskResult, number>();

function bytesOf(result: TaskResult): number {
  const known = sizes.get(result) ?? bytesUpTo(result.output ?? null, HELD_RESULT_BYTES);
  sizes.set(result, known);
  return known;
}

/** What a plan notes of a task: its result, or, where that is too much beside all others, its failure. */
export function heldResult(others: readonly TaskResult[], result: TaskResult): TaskResult {
  const held = others.filter(({ taskId }) => taskId !== result.taskId).reduce((sum, each) => sum + bytesOf(each), 0);
  if (held + bytesOf(result) <= HELD_RESULT_BYTES) return result;
  const { taskId, ms } = result;
  const error =
    `OutputTooLarge: the results of the plan's tasks have more than ${HELD_RESULT_BYTES} bytes together. ` +
    'Let tasks hand back less, such as where they put what they made';
  return { taskId, success: false, error, ms };
}
