import type { BatchPage } from '../../../src/kinds/batch/state/batch';
import { addCounts, countLine, NO_COUNTS, passRate } from '../../../src/kinds/batch/state/counts';
import { makeEndedLine } from '../../../src/kinds/batch/state/page-state';
import type { ConvergenceReason } from '../../../src/loop/base/convergence';
import { initialState, type LoopState } from '../../../src/loop/state/loop-state';
import { bestVersion, failedAttempts, finalVersion, resultOf } from '../../../src/loop/versions/result';
import type { ReflectionResult } from '../../../src/loop/contract/results';
import { anEvaluation, aVersion, DEFAULT_SETTINGS } from '../../../testing/support/versions';

/** Scores 0.6, 0.9, 0.3: the best is neither the first nor the last. */
function ended(reason: ConvergenceReason): LoopState {
  const state = initialState(1_000);
  state.versions = [0.6, 0.9, 0.3].map((score, index) => aVersion(index + 1, anEvaluation('fail', score)));
  state.bestIteration = 2;
  state.stopped = { reason };
  return state;
}

describe('the result', () => {
  test('has every field, and the time from start to end', () => {
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

  test('return_last hands back the last version, and still names the best', () => {
    const result = resultOf(ended('max_iterations'), { ...DEFAULT_SETTINGS, onFailure: 'return_last' }, 0);
    expect(result).toMatchObject({ finalOutput: 'output 3', bestOutput: 'output 2' });
    expect(finalVersion(result.history)?.iteration).toBe(3);
    expect(bestVersion(result.history)?.iteration).toBe(2);
  });

  test('an aborted run hands back the best, even under raise', () => {
    const result = resultOf(ended('aborted'), { ...DEFAULT_SETTINGS, onFailure: 'raise' }, 0);
    expect(result).toMatchObject({ success: false, exhausted: true, finalOutput: 'output 2' });
  });

  test('an accepted run hands back the version that the person named, else the best', () => {
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

  test('the failure of a step is in the result, within limits, and in the line of a batch', () => {
    const state = ended('error');
    state.stopped!.failure = { type: 'Model.Timeout', message: `late ${'x'.repeat(3_000_000)}` };
    const result = resultOf(state, DEFAULT_SETTINGS, 0);
    expect(result.failure).toMatchObject({ type: 'Model.Timeout', message: expect.stringMatching(/^late x{3995}$/) });
    const page: BatchPage = { batch: 'b', page: 0, loop: {} as never, items: [], done: [], attempt: 1 };
    const line = makeEndedLine(page, { index: 0, id: 'one', state: {} }, result);
    expect(line).toMatchObject({ status: 'failed', output: 'output 2', error: { type: 'Model.Timeout' } });
    expect(line.error!.message.length).toBe(1_000);
    expect(resultOf(ended('plateau'), DEFAULT_SETTINGS, 0)).not.toHaveProperty('failure');
  });

  test('an item whose output no evaluator could judge has a status of its own', () => {
    const judged = resultOf(ended('blocked'), DEFAULT_SETTINGS, 0);
    const evaluation = {
      ...judged.finalEvaluation!,
      outcome: 'inconclusive' as const,
      reason: 'The account is empty.',
    };
    const result = { ...judged, success: false, finalEvaluation: evaluation };
    const page: BatchPage = { batch: 'b', page: 0, loop: {} as never, items: [], done: [], attempt: 1 };
    const lineOf = (of: ReflectionResult = result) => makeEndedLine(page, { index: 0, id: 'one', state: {} }, of);
    const error = { type: 'Unjudged', message: 'Nobody could judge its output: The account is empty.' };
    expect(lineOf()).toMatchObject({ status: 'failed', reason: 'blocked', output: result.finalOutput, error });
    expect(lineOf({ ...result, finalEvaluation: { ...evaluation, outcome: 'fail' } }).status).toBe('not_passed');
    const passed = { index: 1, id: 'two', status: 'passed' as const };
    const counts = [lineOf(), passed, { ...passed, status: 'failed' as const }].reduce(countLine, NO_COUNTS);
    expect(counts).toMatchObject({ passed: 1, notPassed: 0, failed: 2, unjudged: 1 });
    expect([counts, countLine(NO_COUNTS, lineOf()), NO_COUNTS].map(passRate)).toEqual([0.5, null, null]);
    expect(addCounts(counts, counts)).toMatchObject({ failed: 4, unjudged: 2 });
    expect(addCounts(NO_COUNTS, NO_COUNTS)).not.toHaveProperty('unjudged');
  });

  test('preserveAllVersions: false keeps the best and the final version only', () => {
    const settings = { ...DEFAULT_SETTINGS, onFailure: 'return_last' as const, preserveAllVersions: false };
    const { history } = resultOf(ended('max_iterations'), settings, 0);
    expect(history.versions.map((version) => version.iteration)).toEqual([2, 3]);
    expect(history.totalIterations).toBe(3);
  });

  test('a run that was aborted before a draft has null outputs', () => {
    const state = initialState(0);
    state.stopped = { reason: 'aborted' };
    expect(resultOf(state, DEFAULT_SETTINGS, 0)).toMatchObject({
      finalOutput: null,
      bestOutput: null,
      finalEvaluation: null,
      history: { bestIteration: null, finalIteration: null, versions: [] },
    });
  });

  test('the report says what became of each issue', () => {
    const state = ended('max_iterations');
    state.versions = [
      aVersion(1, anEvaluation('fail', 0.2, { issues: ['too long', 'no title'] })),
      aVersion(2, anEvaluation('fail', 0.4, { issues: ['no title'] })),
      aVersion(3, anEvaluation('fail', 0.3, { issues: ['Too  long', 'no title'] })),
    ];
    const { report } = resultOf(state, { ...DEFAULT_SETTINGS, onFailure: 'return_last' }, 0);
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

  const sized = (length: number, count: number): LoopState => {
    const state = initialState(0);
    state.versions = Array.from({ length: count }, (_, index) => ({
      ...aVersion(index + 1, anEvaluation('fail', index / 100)),
      output: `${index}`.padEnd(length, 'x'),
    }));
    state.bestIteration = 1;
    state.stopped = { reason: 'max_iterations' };
    return state;
  };
  const last = { ...DEFAULT_SETTINGS, onFailure: 'return_last' as const };
  const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

  test('below 1 MiB everything is whole; above it the other versions go first, and best and final stay whole', () => {
    const small = resultOf(sized(100_000, 5), last, 0);
    expect(small.history.versions.every(({ omittedBytes }) => omittedBytes === undefined)).toBe(true);
    const large = resultOf(sized(200_000, 8), last, 0);
    expect(bytesOf(large)).toBeLessThan(1.3 * 1024 * 1024);
    const { versions } = large.history;
    expect(versions).toHaveLength(8);
    const whole = versions.filter(({ omittedBytes }) => omittedBytes === undefined).map(({ iteration }) => iteration);
    expect(whole).toEqual([1, 7, 8]);
  });

  test.each([
    [300_000, 12],
    [480_000, 3],
    [900_000, 3],
    [1_850_000, 2],
    [1_850_000, 1],
  ])('outputs of %d bytes, %d of them, fit into what ends a run', (length, count) => {
    const result = resultOf(sized(length, count), last, 0);
    expect(bytesOf(result)).toBeLessThan(2_000_000);
    expect((result.finalOutput as string).length).toBe(length);
    if (length < 950_000) expect((result.bestOutput as string).length).toBe(length);
    expect(result.history).toMatchObject({ bestIteration: 1, finalIteration: count, totalIterations: count });
    const attempts = failedAttempts(sized(length, count), last);
    expect(bytesOf(attempts)).toBeLessThan(2_000_000);
    expect((attempts[0]!.output as string).length).toBe(length);
    expect(attempts).toHaveLength(count);
  });

  test('small outputs stay where it is the evaluations that do not fit', () => {
    const state = ended('max_iterations');
    const criteriaScores = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`${n}`.padEnd(15_000, 'x'), 1]));
    for (const { evaluation } of state.versions) evaluation.criteriaScores = criteriaScores;
    const result = resultOf(state, DEFAULT_SETTINGS, 0);
    expect(bytesOf(result)).toBeLessThan(2_000_000);
    expect(result).toMatchObject({ finalOutput: 'output 2', bestOutput: 'output 2' });
  });

  test('given storage outside of histories, nothing is shortened', () => {
    const result = resultOf(sized(1_850_000, 2), { ...last, maximumOutputBytes: 16_000_000 }, 0);
    expect((result.bestOutput as string).length).toBe(1_850_000);
    expect(result.history.versions.map(({ output }) => (output as string).length)).toEqual([1_850_000, 1_850_000]);
  });
});
