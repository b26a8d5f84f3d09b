import type { Outcome } from '../../../src/loop/contract/evaluation';
import { initialState, type LoopState } from '../../../src/loop/state/loop-state';
import { nextMove } from '../../../src/loop/moves/next-move';
import { NO_USAGE } from '../../../src/lib/base/tokens';
import type { ReflectionSpec } from '../../../src/loop/contract/spec';
import { anEvaluation, aVersion, DEFAULT_SETTINGS } from '../../../testing/support/versions';
import { builtInAdviser } from '../../../src/loop/spec/steps';

const modelSpec: Pick<ReflectionSpec, 'generator' | 'corrector'> = { generator: { action: 'llm.call' } };
const actionSpec: Pick<ReflectionSpec, 'generator' | 'corrector'> = { generator: { action: 'write' } };

function judged(...outcomes: Outcome[]): LoopState {
  const state = initialState(0);
  state.versions = outcomes.map((outcome, index) =>
    aVersion(index + 1, anEvaluation(outcome, outcome === 'inconclusive' ? null : 0.5)),
  );
  return state;
}

const moveAfter = (state: LoopState) => nextMove({ spec: modelSpec, settings: DEFAULT_SETTINGS, state, now: 0 });

describe('the next move', () => {
  test('in a new loop, it is a draft', () => {
    expect(moveAfter(initialState(0))).toEqual({
      kind: 'draft',
    });
  });

  test('given an output that has not been judged, it is an evaluation', () => {
    const state = judged('fail');
    state.pending = { output: 'x', origin: 'revision', verdicts: [], rounds: 0, tokenUsage: NO_USAGE, warnings: [] };
    expect(moveAfter(state)).toEqual({ kind: 'evaluate' });
  });

  test('a version that passed ends the loop', () => {
    expect(moveAfter(judged('fail', 'pass'))).toEqual({
      kind: 'stop',
      reason: 'quality_met',
    });
  });

  test('the circuit breaker stops at exactly maxIterations versions', () => {
    expect(moveAfter(judged('fail', 'fail'))).toEqual({
      kind: 'revise',
    });
    expect(moveAfter(judged('fail', 'fail', 'fail'))).toEqual({
      kind: 'stop',
      reason: 'max_iterations',
    });
  });

  test('a version that passes at the limit is still a success', () => {
    const move = moveAfter(judged('fail', 'fail', 'pass'));
    expect(move).toEqual({ kind: 'stop', reason: 'quality_met' });
  });

  test('given an inconclusive version the loop is blocked', () => {
    expect(moveAfter(judged('inconclusive'))).toEqual({
      kind: 'stop',
      reason: 'blocked',
    });
  });

  test('an inconclusive version at the limit blocks the loop too, unless a person lets it go on', () => {
    const settings = { ...DEFAULT_SETTINGS, maxIterations: 2 };
    const atLimit = (last: Outcome, more: Partial<LoopState> = {}) =>
      nextMove({ spec: modelSpec, settings, state: { ...judged('fail', last), ...more }, now: 0 });
    expect(atLimit('inconclusive')).toEqual({ kind: 'stop', reason: 'blocked' });
    expect(atLimit('fail')).toEqual({ kind: 'stop', reason: 'max_iterations' });
    const decision = { iteration: 2, decision: 'continue' as const };
    const state = initialState(0);
    expect(atLimit('inconclusive', { commands: { ...state.commands, decision } })).toEqual({
      kind: 'stop',
      reason: 'max_iterations',
    });
  });

  test('without a corrector, a generator that is a model revises; any other runs again', () => {
    expect(moveAfter(judged('fail'))).toEqual({
      kind: 'revise',
    });
    expect(nextMove({ spec: actionSpec, settings: DEFAULT_SETTINGS, state: judged('fail'), now: 0 })).toEqual({
      kind: 'regenerate',
    });
  });

  test('given a corrector in hint mode, the corrector runs first, then the generator', () => {
    const spec = { ...actionSpec, corrector: { action: 'advise', mode: 'hint' as const } };
    const state = judged('fail');
    expect(nextMove({ spec, settings: DEFAULT_SETTINGS, state, now: 0 })).toEqual({ kind: 'hint' });
    state.hint = { text: 'be brief', tokenUsage: NO_USAGE, warnings: [] };
    expect(nextMove({ spec, settings: DEFAULT_SETTINGS, state, now: 0 })).toEqual({ kind: 'regenerate' });
  });

  test('given a hint corrector without a prompt, the generator’s model is asked, without its tools', () => {
    const generator = {
      action: 'llm.call' as const,
      model: 'm',
      system: 'Be brief.',
      prompt: 'Write.',
      tools: ['look'],
    };
    const corrector = { action: 'llm.call' as const, mode: 'hint' as const, maxTokens: 9 };
    const asked = { action: 'llm.call', model: 'm', system: 'Be brief.', prompt: 'Write.', mode: 'hint', maxTokens: 9 };
    expect(builtInAdviser({ generator, corrector })).toEqual(asked);
    expect(builtInAdviser({ generator: { action: 'write' }, corrector })).toEqual(corrector);
    expect(builtInAdviser({ generator, corrector: { ...corrector, prompt: 'Why?' } })).toBeUndefined();
    expect(builtInAdviser({ generator, corrector: { action: 'llm.call' } })).toBeUndefined();
  });

  test('commands of a person take precedence over every other reason', () => {
    const passed = judged('pass');
    passed.commands = { abort: true };
    expect(moveAfter(passed)).toEqual({
      kind: 'stop',
      reason: 'aborted',
    });
    passed.commands = { accept: {} };
    expect(moveAfter(passed)).toEqual({
      kind: 'stop',
      reason: 'user_accepted',
    });
  });

  test('an `accept` that arrives before the draft takes effect with it', () => {
    const state = initialState(0);
    state.commands = { accept: {} };
    expect(moveAfter(state)).toEqual({ kind: 'draft' });
  });
});
