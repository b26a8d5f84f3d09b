import { initialState } from '../../../src/loop/state/loop-state';
import { listLoopInsights } from '../../../src/loop/memory/loop-insights';
import { anEvaluation, aVersion } from '../../../testing/support/versions';

describe('what a loop leaves to later ones', () => {
  test('unresolved issues are those of the best version, not of a worse one after it', () => {
    const state = initialState(0);
    state.versions = [
      aVersion(1, anEvaluation('fail', 0.7, { issues: ['the date is missing'] })),
      aVersion(2, anEvaluation('fail', 0.1, { issues: ['it is about cats'] })),
    ];
    state.bestIteration = 1;
    state.stopped = { reason: 'max_iterations' };
    const [insight, ...others] = listLoopInsights({ name: 'letters' }, state);
    expect(insight!.text).toBe(
      '"letters": not good enough after 2 versions (max_iterations); still wrong: the date is missing',
    );
    expect(others).toEqual([]);
  });
});
