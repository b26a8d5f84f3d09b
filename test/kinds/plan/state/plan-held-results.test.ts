import { HELD_RESULT_BYTES, heldResults } from '../../../../src/kinds/plan/state/plan-result';
import type { TaskResult } from '../../../../src/kinds/plan/contract/plan-results';

const made = (taskId: string, bytes: number): TaskResult => ({
  taskId,
  success: true,
  output: 'x'.repeat(bytes),
  ms: 1,
});
const SIXTEEN_MB = 16 * 1_024 * 1_024 - 10;

describe('what a plan holds of its tasks', () => {
  const heldResult = heldResults();

  test('four results of 16 MiB are held, a fifth fails its task by name', () => {
    const results: TaskResult[] = [];
    for (const id of ['a', 'b', 'c', 'd', 'e']) results.push(heldResult(results, made(id, SIXTEEN_MB)));
    expect(results.map(({ success }) => success)).toEqual([true, true, true, true, false]);
    expect(results[4]).toMatchObject({
      taskId: 'e',
      ms: 1,
      error: expect.stringMatching(/^OutputTooLarge: .* 67108864 bytes/),
    });
    expect(results[4]).not.toHaveProperty('output');
  });

  test('a later result of a task takes the place of the one before, and is no more', () => {
    const results = [made('a', HELD_RESULT_BYTES / 2), made('b', HELD_RESULT_BYTES / 4)];
    expect(heldResult(results, made('a', HELD_RESULT_BYTES / 2)).success).toBe(true);
    expect(heldResult(results, made('c', HELD_RESULT_BYTES / 2)).success).toBe(false);
  });

  test('what hands nothing back, or failed, is no weight', () => {
    const full = [made('a', HELD_RESULT_BYTES - 10)];
    const failure: TaskResult = { taskId: 'b', success: false, error: 'no', ms: 2 };
    expect(heldResult(full, failure)).toBe(failure);
  });
});
