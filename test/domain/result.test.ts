import type { ConvergenceReason } from '../../src/domain/convergence';
import { initialState, type LoopState } from '../../src/domain/loop-state';
import { bestVersion, finalVersion, resultOf } from '../../src/domain/result';
import { anEvaluation, aVersion, DEFAULT_SETTINGS } from '../support/versions';

/** Scores 0.6, 0.9, 0.3: the best is neither the first nor the last. */
function ended(reason: ConvergenceReason): LoopState {
  const state = initialState(1_000);
  state.versions = [0.6, 0.9, 0.3].map((score, index) => aVersion(index + 1, anEvaluation('fail', score)));
  state.bestIteration = 2;
  state.stopped = { reason };
  return state;
}

describe('the result', () => {
  test('P20 has every field, and the time from start to end', () => {
    const result = resultOf(ended('max_iterations'), DEFAULT_SETTINGS, 3_500);
    expect(result).toMatchObject({
      success: false,
      exhausted: true,
      finalOutput: 'output 2',
      bestOutput: 'output 2',
      iterationsUsed: 3,
      convergenceReason: 'max_iterations',
      executionTime: 2_500,
      flags: [],
      history: { bestIteration: 2, finalIteration: 2, totalIterations: 3, convergenceReason: 'max_iterations' },
    });
    expect(result.finalEvaluation?.overallScore).toBe(0.9);
  });

  test('T9 return_last hands back the last version, and still names the best', () => {
    const result = resultOf(ended('max_iterations'), { ...DEFAULT_SETTINGS, onFailure: 'return_last' }, 0);
    expect(result).toMatchObject({ finalOutput: 'output 3', bestOutput: 'output 2' });
    expect(finalVersion(result.history)?.iteration).toBe(3);
    expect(bestVersion(result.history)?.iteration).toBe(2);
  });

  test('T9 an aborted run hands back the best, even under raise', () => {
    const result = resultOf(ended('aborted'), { ...DEFAULT_SETTINGS, onFailure: 'raise' }, 0);
    expect(result).toMatchObject({ success: false, exhausted: true, finalOutput: 'output 2' });
  });

  test('P20 an accepted run hands back the version that the person named, else the best', () => {
    const named = ended('user_accepted');
    named.commands = { accept: { iteration: 3 } };
    expect(resultOf(named, DEFAULT_SETTINGS, 0)).toMatchObject({
      success: true,
      exhausted: false,
      finalOutput: 'output 3',
    });
    const unnamed = ended('user_accepted');
    unnamed.commands = { accept: {} };
    expect(resultOf(unnamed, DEFAULT_SETTINGS, 0)).toMatchObject({ success: true, finalOutput: 'output 2' });
  });

  test('P8 preserveAllVersions: false keeps the best and the final version only', () => {
    const settings = { ...DEFAULT_SETTINGS, onFailure: 'return_last' as const, preserveAllVersions: false };
    const { history } = resultOf(ended('max_iterations'), settings, 0);
    expect(history.versions.map((version) => version.iteration)).toEqual([2, 3]);
    expect(history.totalIterations).toBe(3);
  });

  test('P20 a run that was aborted before a draft has null outputs', () => {
    const state = initialState(0);
    state.stopped = { reason: 'aborted' };
    expect(resultOf(state, DEFAULT_SETTINGS, 0)).toMatchObject({
      finalOutput: null,
      bestOutput: null,
      finalEvaluation: null,
      history: { bestIteration: null, finalIteration: null, versions: [] },
    });
  });

  test('P17 the report says what became of each issue', () => {
    const state = ended('max_iterations');
    state.versions = [
      aVersion(1, anEvaluation('fail', 0.2, { issues: ['too long', 'no title'] })),
      aVersion(2, anEvaluation('fail', 0.4, { issues: ['no title'] })),
      aVersion(3, anEvaluation('fail', 0.3, { issues: ['Too  long', 'no title'] })),
    ];
    const { report } = resultOf(state, DEFAULT_SETTINGS, 0);
    expect(report.issues.map(({ message, fate }) => [message, fate])).toEqual([
      ['too long', 'returned'],
      ['no title', 'unresolved'],
    ]);
    expect(report.iterations.map(({ scoreChange }) => scoreChange)).toEqual([
      null,
      expect.closeTo(0.2),
      expect.closeTo(-0.1),
    ]);
  });
});
