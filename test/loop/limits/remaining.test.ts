import { NO_USAGE } from '../../../src/lib/base/tokens';
import { remainingLine } from '../../../src/loop/limits/remaining';
import type { Budget } from '../../../src/loop/state/loop-settings';
import type { LoopState, PendingOutput } from '../../../src/loop/state/loop-state';
import { aFailedVersion, DEFAULT_SETTINGS, stateWith } from '../../../testing/support/versions';

const LAST = 'This is the last version that will be judged.';
const NEARLY = 'The budget is nearly spent: this may be the last version that will be judged.';

/** A state after versions, each of which took 100 tokens in 2 calls for 1 dollar. */
function after(count: number, more: Partial<LoopState> = {}): LoopState {
  const versions = Array.from({ length: count }, (_, index) => aFailedVersion(index + 1, 0.5, ['dull']));
  const tokenUsage = { ...NO_USAGE, totalTokens: 100 * count, modelCalls: 2 * count, usd: count };
  return { ...stateWith(versions, 1), tokenUsage, ...more };
}

const underWay = { ...NO_USAGE, totalTokens: 90, modelCalls: 1, usd: 0.9 };
const pending: PendingOutput = {
  output: 'x',
  origin: 'revision',
  verdicts: [],
  rounds: 1,
  tokenUsage: underWay,
  warnings: [],
};
const judging = (state: LoopState): LoopState => ({
  ...state,
  pending,
  tokenUsage: {
    ...state.tokenUsage,
    totalTokens: state.tokenUsage.totalTokens + 90,
    modelCalls: state.tokenUsage.modelCalls + 1,
    usd: (state.tokenUsage.usd ?? 0) + 0.9,
  },
});
const rows: [string, Budget, LoopState, string | undefined][] = [
  ['no budget was spent yet', { tokens: 10 }, after(0), undefined],
  ['three rounds are left', { tokens: 600 }, after(3), undefined],
  ['less than two rounds of tokens are left', { tokens: 499 }, after(3), NEARLY],
  ['… of calls', { modelCalls: 9 }, after(3), NEARLY],
  ['… of dollars', { usd: 4.9 }, after(3), NEARLY],
  ['the cost is not known', { usd: 4.9 }, after(3, { tokenUsage: { ...NO_USAGE, usd: null } }), undefined],
  ['a person extended it', { tokens: 499 }, after(3, { extended: { tokens: 100 } }), undefined],
  ['the next version is the last', {}, after(8), LAST],
  ['the last version is judged', {}, judging(after(8)), LAST],
  ['a person extended the limit', {}, after(8, { extended: { iterations: 1 } }), undefined],
];

describe('the line that announces the end of a budget', () => {
  const lineOf = (budget: Budget | undefined, state: LoopState) =>
    remainingLine({ ...DEFAULT_SETTINGS, maxIterations: 9, ...(budget && { budget }) }, state);

  test.each(rows)('given that %s', (_name, budget, state, line) => {
    expect(lineOf({ ...budget, announce: true }, state)).toBe(line);
    expect(lineOf(budget, state)).toBeUndefined();
    expect(lineOf(undefined, state)).toBeUndefined();
  });

  test('is the same for the author and the judges of a version', () => {
    for (const tokens of [499, 500]) {
      const budget = { tokens, announce: true };
      expect(lineOf(budget, judging(after(3)))).toBe(lineOf(budget, after(3)));
    }
  });
});
