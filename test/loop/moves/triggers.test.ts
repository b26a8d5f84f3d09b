import { nextMove } from '../../../src/loop/moves/next-move';
import { initialState, type LoopState } from '../../../src/loop/state/loop-state';
import type { LoopSettings } from '../../../src/loop/state/loop-settings';
import type { ReflectionSpec } from '../../../src/loop/contract/spec';
import type { TriggersSpec } from '../../../src/loop/contract/loop-options';
import type { Turn } from '../../../src/loop/state/model-reply';
import { boundedTurns } from '../../../src/loop/state/turns';
import { outputSoFar, shortenText } from '../../../src/loop/step-state/tools';
import { settleVersion, reopenLatest } from '../../../src/loop/moves/transitions';
import {
  dueTrigger,
  hasDropped,
  type Progression,
  reflectsOnFailure,
  triggersOf,
} from '../../../src/loop/moves/triggers';
import { anEvaluation, aVersion, DEFAULT_SETTINGS } from '../../../testing/support/versions';

const used = (...names: string[]): Progression['tools'] => names.map((name) => ({ name, failed: name === 'broken' }));

describe('triggers of work that is not done yet', () => {
  test.each<[string, TriggersSpec | undefined, number, string[], string | undefined]>([
    ['nothing set', undefined, 2, ['search'], undefined],
    ['an interval that is over', { reflectionInterval: 2 }, 4, ['search'], 'step_interval'],
    ['an interval that is not', { reflectionInterval: 2 }, 3, ['search'], undefined],
    ['a tool that is listed', { reflectOnTools: ['search'] }, 1, ['read', 'search'], 'tool_result'],
    ['a tool that is not', { reflectOnTools: ['search'] }, 1, ['read'], undefined],
    ['a tool that failed', { reflectOnError: true }, 1, ['broken'], 'error'],
    ['a failure that nobody asked for', { reflectOnError: false }, 1, ['broken'], undefined],
    ['several', { reflectOnError: true, reflectOnTools: ['broken'], reflectionInterval: 1 }, 1, ['broken'], 'error'],
    ['a result and an interval', { reflectOnTools: ['search'], reflectionInterval: 1 }, 1, ['search'], 'tool_result'],
  ])('%s', (_name, triggers, steps, names, expected) => {
    expect(dueTrigger(triggers, { steps, tools: used(...names) })).toBe(expected);
  });

  test.each([
    ['StepFailed', true],
    ['Model.Refused', true],
    ['Model.Unauthorized', false],
    ['Model.Unavailable', false],
  ])('a failed step is tried again after %s: %s', (type, expected) => {
    expect(reflectsOnFailure({ reflectOnError: true }, { type, message: '' })).toBe(expected);
    expect(reflectsOnFailure({}, { type, message: '' })).toBe(false);
  });
});

describe('a drop of quality', () => {
  const settings: LoopSettings = { ...DEFAULT_SETTINGS, maxIterations: 6, triggers: { qualityDropThreshold: 0.2 } };
  const spec: Pick<ReflectionSpec, 'generator'> = { generator: { action: 'llm.call', prompt: 'x' } };
  const scored = (...scores: number[]) =>
    scores.map((score, index) => aVersion(index + 1, anEvaluation('fail', score, { issues: ['x'] })));
  const stateOf = (...scores: number[]): LoopState => ({
    ...initialState(0),
    versions: scored(...scores),
    bestIteration: 1,
  });

  test.each<[string, number[], boolean]>([
    ['more than the threshold', [0.7, 0.4], true],
    ['less', [0.7, 0.6], false],
    ['a rise', [0.2, 0.7], false],
    ['a draft', [0.1], false],
  ])('%s', (_name, scores, expected) => {
    expect(hasDropped(settings, scored(...scores))).toBe(expected);
  });

  test('is measured against the version that it was made from', () => {
    const versions = scored(0.9, 0.3, 0.6);
    expect(hasDropped(settings, versions)).toBe(false);
    versions[2]!.basedOn = 1;
    expect(hasDropped(settings, versions)).toBe(true);
  });

  test('has the version judged again exactly once, whatever the result', () => {
    const state = stateOf(0.7, 0.4);
    expect(nextMove({ spec, settings, state, now: 0 })).toEqual({ kind: 'judge_again', trigger: 'quality_drop' });
    reopenLatest(state, settings, 'quality_drop');
    expect(state.versions).toHaveLength(1);
    settleVersion(state, settings, [], '');
    expect(state.versions.at(-1)).toMatchObject({ iteration: 2, trigger: 'quality_drop' });
    expect(state.versions.at(-1)!.evaluation.overallScore).toBe(0.4);
    expect(nextMove({ spec, settings, state, now: 0 })).toEqual({ kind: 'revise' });
  });

  test('does nothing when the budget is spent, or if no model judges', () => {
    const poor = { ...settings, budget: { tokens: 0 } };
    expect(nextMove({ spec, settings: poor, state: stateOf(0.7, 0.4), now: 0 })).not.toMatchObject({
      kind: 'judge_again',
    });
    const plan = { name: 'x', type: 'schema', weight: 1, gate: false };
    expect(triggersOf(settings.triggers!, [{ ...plan, local: true }])).toEqual({});
    expect(triggersOf(settings.triggers!, [{ ...plan, local: false }])).toEqual(settings.triggers);
    expect(triggersOf(settings.triggers!, [{ ...plan, local: false, asksModel: false }])).toEqual({});
  });
});

describe('what travels of the work so far', () => {
  const answer = (content: string): Turn => ({ role: 'tool', toolCallId: '1', name: 'search', content });

  test('results of tools are bounded, the latest stay whole', () => {
    const turns = Array.from({ length: 20 }, (_, index) => answer(`${index}${'x'.repeat(16_000)}`));
    const bounded = boundedTurns(turns);
    expect(bounded.at(-1)).toEqual(turns.at(-1));
    expect(bounded[0]).toMatchObject({ content: '[left out: 16001 characters]' });
    expect(JSON.stringify(bounded).length).toBeLessThan(100 * 1024);
    expect(shortenText('abcdef', 2)).toBe('ab\n[cut off: 4 more characters]');
  });

  test('judges see what the model wrote and what its tools answered', () => {
    const turns: Turn[] = [
      { role: 'assistant', content: 'I look.', toolCalls: [{ id: '1', name: 'search', arguments: '{"q":1}' }] },
      answer('nothing'),
      { role: 'review', trigger: 'tool_result', issues: [], suggestions: ['look elsewhere'] },
    ];
    expect(outputSoFar(turns)).toBe('I look.\ncalls search({"q":1})\nsearch answered: nothing');
    expect(outputSoFar([])).toBe('');
  });
});
