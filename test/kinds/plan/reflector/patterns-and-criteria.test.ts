import type { TaskResult } from '../../../../src';
import { criteriaFromConfig, Reflector, toDict } from '../../../../src/compat';

const reflector = new Reflector();
const ok = (taskId: string): TaskResult => ({ taskId, success: true, output: 'done', ms: 10 });
const failed = (taskId: string, error: string): TaskResult => ({ taskId, success: false, error, ms: 10 });
const planOf = (...ids: string[]) => ({ id: 'plan', tasks: ids.map((id) => ({ id, description: `do ${id}` })) });

describe('failure patterns', () => {
  const plan = planOf('a', 'b', 'c', 'd', 'e');

  test('errors of one kind, failures in a row, and too few successes, with all fields', () => {
    const results = [ok('a'), failed('b', 'timeout'), failed('c', 'timeout 2'), ok('d'), failed('e', 'invalid')];
    const patterns = reflector.failurePatterns(plan, results);
    expect(
      patterns.map(({ patternType, occurrences, affectedTasks }) => [patternType, occurrences, affectedTasks]),
    ).toEqual([
      ['repeated_errors', 2, ['b', 'c']],
      ['sequential_failures', 2, ['b', 'c']],
      ['low_success_rate', 3, ['b', 'c', 'e']],
    ]);
    for (const pattern of patterns) {
      expect(pattern.description).not.toBe('');
      expect(pattern.suggestedFix).not.toBe('');
      expect(new Date(pattern.detectedAt).toISOString()).toBe(pattern.detectedAt);
    }
  });

  test('a row ends where a task succeeded or was not tried', () => {
    const kinds = (results: TaskResult[]) =>
      reflector.failurePatterns(plan, results).map(({ patternType }) => patternType);
    const apart = [failed('a', 'timeout'), ok('b'), failed('c', 'invalid'), ok('d'), ok('e')];
    expect(kinds(apart)).toEqual(['low_success_rate']);
    expect(kinds([failed('a', 'timeout'), failed('c', 'invalid')])).not.toContain('sequential_failures');
    expect(kinds([ok('a'), ok('b'), ok('c'), ok('d'), failed('e', 'timeout')])).toEqual([]);
  });

  test('an error that is null is of no known kind', () => {
    const result = { taskId: 'a', success: false, error: null, ms: 1 } as unknown as TaskResult;
    expect(new Reflector().evaluateTask({ id: 'a' } as never, result)).toMatchObject({ success: false });
  });

  test('errors of no known kind repeat only when they read the same', () => {
    const both = (one: string, other: string) =>
      reflector
        .failurePatterns(plan, [failed('a', one), ok('b'), failed('c', other), ok('d'), ok('e')])
        .some(({ patternType }) => patternType === 'repeated_errors');
    expect(both('exit code 3', 'Exit code 4')).toBe(true);
    expect(both('exit code 3', 'division by zero')).toBe(false);
  });

  test('toDict has every field under the names of the original', () => {
    const [pattern] = reflector.failurePatterns(planOf('a'), [failed('a', 'timeout')]);
    expect(toDict(pattern!)).toEqual({
      pattern_type: 'low_success_rate',
      description: pattern!.description,
      occurrences: 1,
      affected_tasks: ['a'],
      suggested_fix: pattern!.suggestedFix,
      detected_at: pattern!.detectedAt,
    });
    const { suggestedFix: _fix, ...bare } = pattern!;
    expect(toDict(bare)['suggested_fix']).toBeNull();
  });
});

describe('criteria', () => {
  test('the defaults', () => {
    expect(criteriaFromConfig()).toEqual({
      minSuccessRate: 0.8,
      maxExecutionTimeMultiplier: 2,
      requireAllTasksComplete: true,
      checkOutputQuality: true,
    });
  });

  test('a configuration in either spelling', () => {
    const wanted = { minSuccessRate: 0.9, requireAllTasksComplete: false, maxExecutionTimeMultiplier: 2 };
    expect(criteriaFromConfig({ min_success_rate: 0.9, require_all_tasks_complete: false })).toMatchObject(wanted);
    expect(criteriaFromConfig({ minSuccessRate: 0.9, requireAllTasksComplete: false })).toMatchObject(wanted);
  });

  test('unknown keys and wrong values are errors, all of them with their path', () => {
    const config = {
      min_succes_rate: 0.9,
      max_execution_time_multiplier: 0,
      minSuccessRate: 2,
      check_output_quality: 'no',
    };
    expect(() => criteriaFromConfig(config)).toThrow(
      expect.objectContaining({
        type: 'InvalidConfig',
        problems: [
          { path: '/min_succes_rate', message: 'unknown field (did you mean minSuccessRate?)' },
          { path: '/max_execution_time_multiplier', message: 'must be a number above 0' },
          { path: '/minSuccessRate', message: 'must be a number from 0 to 1' },
          { path: '/check_output_quality', message: 'must be true or false' },
        ],
      }),
    );
    expect(() => criteriaFromConfig([])).toThrow(/must be an object/);
    expect(() => criteriaFromConfig({ min_success_rate: 1, minSuccessRate: 1 })).toThrow(/given twice/);
    expect(() => criteriaFromConfig(JSON.parse('{"__proto__": 1, "constructor": 2}'))).toThrow(/2 mistakes/);
  });
});
