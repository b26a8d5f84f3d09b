import { toReflectionState } from '../../../src/loop/step-state/reflection-state';
import { initialState } from '../../../src/loop/state/loop-state';
import { resultOf } from '../../../src/loop/versions/result';
import { anEvaluation, aVersion, DEFAULT_SETTINGS } from '../../../testing/support/versions';

describe('the result as state', () => {
  test('spreads the keys of an object output, but never over a status key', () => {
    const state = initialState(0);
    const output = { title: 'hello', success: 'mine', reflection_best: 'mine', reflection_other: 1, exhausted: 0 };
    state.versions = [{ ...aVersion(1, anEvaluation('pass', 1)), output }];
    state.bestIteration = 1;
    state.stopped = { reason: 'quality_met' };
    const spread = toReflectionState(resultOf(state, DEFAULT_SETTINGS, 0));
    expect(spread).toMatchObject({
      title: 'hello',
      success: true,
      valid: true,
      exhausted: false,
      reflection_iteration: 1,
      reflection_best: output,
      reflection_best_score: 1,
      reflection_errors: [],
    });
    expect(spread).not.toHaveProperty('reflection_other');
  });

  test('an exhausted run says so, with the errors of what it hands back', () => {
    const state = initialState(0);
    state.versions = [
      aVersion(1, anEvaluation('fail', 0.5, { issues: ['first'] })),
      aVersion(2, anEvaluation('fail', 0.2, { issues: ['second'] })),
    ];
    state.bestIteration = 1;
    state.stopped = { reason: 'max_iterations' };
    const spread = toReflectionState(resultOf(state, DEFAULT_SETTINGS, 0));
    expect(spread).toMatchObject({
      success: false,
      valid: false,
      exhausted: true,
      reflection_iteration: 2,
      reflection_output: 'output 1',
      reflection_errors: [{ message: 'first' }],
    });
    expect(spread['reflection_history']).toHaveLength(2);
  });

  test('history entries carry what templates read', () => {
    const state = initialState(0);
    state.versions = [aVersion(1, anEvaluation('fail', 0.5, { issues: ['first'] }))];
    state.bestIteration = 1;
    state.stopped = { reason: 'max_iterations' };
    expect(toReflectionState(resultOf(state, DEFAULT_SETTINGS, 0))['reflection_history']).toEqual([
      {
        iteration: 1,
        output: 'output 1',
        score: 0.5,
        valid: false,
        errors: [{ message: 'first' }],
        evaluation: expect.objectContaining({
          outcome: 'fail',
          overallScore: 0.5,
          issues: [expect.objectContaining({ message: 'first' })],
          score: 0.5,
          valid: false,
          errors: [{ message: 'first' }],
          reason: '',
        }),
      },
    ]);
  });
});
