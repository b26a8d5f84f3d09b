import { decisionOf, dueHook } from '../../../src/loop/moves/hooks';
import { warnAfterwards, recordRuling } from '../../../src/loop/state/notes';
import { initialState, type LoopState, type Origin } from '../../../src/loop/state/loop-state';
import { nextMove } from '../../../src/loop/moves/next-move';
import { resultOf } from '../../../src/loop/versions/result';
import { runStatus } from '../../../src/loop/state/success';
import { NO_USAGE } from '../../../src/lib/base/tokens';
import { stop, recordDraft } from '../../../src/loop/moves/transitions';
import { anEvaluation, aVersion, DEFAULT_SETTINGS } from '../../../testing/support/versions';

const spec = { generator: { action: 'write' } };
const settings = DEFAULT_SETTINGS;

function judged(...scores: (number | null)[]): LoopState {
  const outcomeOf = (score: number) => (score >= 0.8 ? 'pass' : 'fail');
  const state = initialState(0);
  state.versions = scores.map((score, index) =>
    aVersion(index + 1, anEvaluation(score === null ? 'inconclusive' : outcomeOf(score), score)),
  );
  state.bestIteration = scores.indexOf(Math.max(...scores.map(Number))) + 1;
  return state;
}

function pending(state: LoopState, origin: Origin): LoopState {
  return {
    ...state,
    pending: { output: 'new', origin, verdicts: [], rounds: 0, tokenUsage: NO_USAGE, warnings: ['old warning'] },
  };
}

function decided(state: LoopState, decision: 'auto' | 'continue' | 'stop'): LoopState {
  recordRuling(state, decision);
  return state;
}

const moveAfter = (state: LoopState) => nextMove({ spec, settings, state, now: 0 });

describe('what a hook decides', () => {
  test('given `continue`, another version is made although the last one passed', () => {
    expect(moveAfter(decided(judged(0.9), 'continue'))).toEqual({ kind: 'regenerate' });
    expect(moveAfter(judged(0.9))).toEqual({ kind: 'stop', reason: 'quality_met' });
  });

  test('`continue` overrules the stop rules, but neither the limit of iterations nor the budget', () => {
    expect(moveAfter(decided(judged(null), 'continue'))).toEqual({ kind: 'regenerate' });
    expect(moveAfter(decided(judged(0.9, 0.9, 0.9), 'continue'))).toEqual({ kind: 'stop', reason: 'max_iterations' });
    const spent = { ...settings, budget: { wallClockMs: 1 } };
    const move = nextMove({ spec, settings: spent, state: decided(judged(0.9), 'continue'), now: 5 });
    expect(move).toEqual({ kind: 'stop', reason: 'time_budget' });
  });

  test('`stop` ends the loop with reason `stopped`, unless it ends there for a reason of its own', () => {
    expect(moveAfter(decided(judged(0.2), 'stop'))).toEqual({ kind: 'stop', reason: 'stopped' });
    expect(moveAfter(decided(judged(0.9), 'stop'))).toEqual({ kind: 'stop', reason: 'quality_met' });
    expect(moveAfter(decided(judged(0.1, 0.2, 0.3), 'stop'))).toEqual({ kind: 'stop', reason: 'max_iterations' });
  });

  test('given edits that did not apply, the hook is not called again for the same evaluation', () => {
    const unappliedEdit = { problem: 'not found', tokenUsage: NO_USAGE, warnings: [] };
    expect(dueHook(judged(0.2), settings)?.name).toBe('onReflection');
    expect(dueHook({ ...judged(0.2), unappliedEdit }, settings)).toBeUndefined();
  });

  test('the event of a revision has the output that it was made from, also after a worse version was discarded', () => {
    const state = judged(0.7, 0.2);
    recordDraft(state, { output: 'third', warnings: [] }, 'revision', { basedOn: 1 });
    expect(dueHook(state, settings)).toMatchObject({ name: 'onRevision', event: { previousOutput: 'output 1' } });
  });

  test('`auto` cancels a decision, and a decision about an earlier version does not count', () => {
    expect(moveAfter(decided(decided(judged(0.2), 'stop'), 'auto'))).toEqual({ kind: 'regenerate' });
    const { ruling } = decided(judged(0.2), 'stop');
    expect(moveAfter({ ...judged(0.2, 0.3), ...(ruling ? { ruling } : {}) })).toEqual({ kind: 'regenerate' });
  });

  test.each([
    ['auto', 'auto'],
    [null, 'auto'],
    [undefined, 'auto'],
    ['continue', 'continue'],
    ['stop', 'stop'],
    ['STOP', undefined],
    [true, undefined],
    [{ decision: 'stop' }, undefined],
  ])('the answer %j means %s', (answer, meaning) => {
    expect(decisionOf(answer)).toBe(meaning);
  });
});

describe('the end of a loop that was told to stop', () => {
  function ended(...scores: number[]) {
    const state = judged(...scores);
    stop(state, settings, { reason: 'stopped' }, 'now');
    return { result: resultOf(state, settings, 0), status: runStatus(state) };
  }

  test('given a version that passed, the loop succeeds and returns that version', () => {
    const { result, status } = ended(0.3, 0.9, 0.5);
    expect(result).toMatchObject({ success: true, exhausted: false, finalOutput: 'output 2' });
    expect(status).toBe('succeeded');
  });

  test('given no version that passed, the loop does not succeed, and `onFailure` decides what is returned', () => {
    const { result, status } = ended(0.3, 0.6, 0.5);
    expect(result).toMatchObject({ success: false, exhausted: true, finalOutput: 'output 2' });
    expect(status).toBe('exhausted');
  });

  test('the passing version is returned even if the selection prefers another one', () => {
    const state = judged(0.9, 0.5);
    state.bestIteration = 2;
    stop(state, settings, { reason: 'stopped' }, 'now');
    expect(resultOf(state, settings, 0)).toMatchObject({ success: true, finalOutput: 'output 1' });
  });
});

describe('the hook that is due', () => {
  test('is the one for a generation, for a revision with the output before it, or for an evaluation', () => {
    expect(dueHook(pending(initialState(0), 'draft'), settings)).toEqual({
      name: 'onGeneration',
      event: { iteration: 1, output: 'new', origin: 'draft' },
    });
    expect(dueHook(pending(judged(0.2), 'regeneration'), settings)?.name).toBe('onGeneration');
    expect(dueHook(pending(judged(0.2), 'revision'), settings)).toEqual({
      name: 'onRevision',
      event: { iteration: 2, output: 'new', previousOutput: 'output 1' },
    });
    expect(dueHook(judged(0.2, 0.4), settings)).toMatchObject({
      name: 'onReflection',
      event: { iteration: 2, output: 'output 2', bestIteration: 2, maxIterations: 3, evaluation: { outcome: 'fail' } },
    });
  });

  test('after a hint, which is not an output, no hook is due', () => {
    const hinted = { ...judged(0.2), hint: { text: 'shorter', tokenUsage: NO_USAGE, warnings: [] } };
    expect(dueHook(hinted, settings)).toBeUndefined();
    expect(dueHook(initialState(0), settings)).toBeUndefined();
  });

  test('a failed hook leaves a warning with what it was about', () => {
    const written = pending(judged(0.2), 'revision');
    warnAfterwards(written, 'it broke');
    expect(written.pending?.warnings).toEqual(['old warning', 'it broke']);
    const rated = judged(0.1, 0.2);
    warnAfterwards(rated, 'it broke');
    expect(rated.versions.map(({ warnings }) => warnings)).toEqual([[], ['it broke']]);
  });
});
