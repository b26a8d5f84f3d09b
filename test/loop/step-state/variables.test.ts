import type { Json } from '../../../src/lib/json/json';
import { NO_USAGE } from '../../../src/lib/base/tokens';
import { initialState, type LoopState } from '../../../src/loop/state/loop-state';
import { materialForStep, needsOfStep, stateForStep } from '../../../src/loop/step-state/project';
import { anEvaluation, aVersion } from '../../../testing/support/versions';

function afterTwo(): LoopState {
  const state = initialState(0);
  state.versions = [
    aVersion(1, anEvaluation('fail', 0.7, { issues: ['no title'] })),
    aVersion(2, anEvaluation('fail', 0.4, { issues: ['too long'] })),
  ];
  state.bestIteration = 1;
  return state;
}

const userState = { request: 'a poem', secretless: 1, unused: 'x'.repeat(1000) };

function seenBy(prompt: string) {
  const step = { action: 'llm.call', prompt };
  return stateForStep({ state: userState }, afterTwo(), step, {}, 3);
}

describe('the state that a step sees', () => {
  test('the variables of the loop, as templates name them', () => {
    const seen = seenBy(
      '{{ state.reflection_output }} {{ state.reflection_errors }} {{ state.reflection_best_score }} {{ state.reflection_best }} {{ state.reflection_history }}',
    );
    expect(seen).toMatchObject({
      reflection_iteration: 3,
      reflection_output: 'output 2',
      reflection_errors: [{ message: 'too long' }],
      reflection_best: 'output 1',
      reflection_best_score: 0.7,
      reflection_history: [
        {
          iteration: 1,
          output: 'output 1',
          score: 0.7,
          valid: false,
          evaluation: { score: 0.7, valid: false, errors: [{ message: 'no title' }], reason: '', overallScore: 0.7 },
        },
        { iteration: 2, output: 'output 2', score: 0.4, valid: false },
      ],
    });
  });

  test('a variable that no template names is not sent', () => {
    expect(seenBy('Write {{ state.request }}')).toEqual({ request: 'a poem', reflection_iteration: 3 });
  });

  test('a registered action sees the state and a digest, without earlier outputs', () => {
    const step = { action: 'write' };
    const seen = stateForStep({ state: userState }, afterTwo(), step, {}, 3);
    expect(seen).toMatchObject({ ...userState, reflection_output: 'output 2', reflection_best_score: 0.7 });
    expect(seen['reflection_history']).toMatchObject([
      { score: 0.7, evaluation: { score: 0.7, valid: false, errors: [{ message: 'no title' }], reason: '' } },
      { score: 0.4, evaluation: { score: 0.4, outcome: 'fail' } },
    ]);
    expect(JSON.stringify(seen['reflection_history'])).not.toContain('output 1');
    expect(seen).not.toHaveProperty('reflection_best');
  });

  test('an action that declares its needs gets those', () => {
    const step = { action: 'write' };
    const needs = { write: ['request', 'reflection_history'] };
    const seen = stateForStep({ state: userState }, afterTwo(), step, needs, 3);
    expect(seen).toMatchObject({ request: 'a poem', reflection_best: 'output 1' });
    expect(seen).not.toHaveProperty('unused');
    expect(JSON.stringify(seen['reflection_history'])).toContain('output 1');
  });

  test('the size of a digest does not grow with the iterations', () => {
    const state = initialState(0);
    state.versions = Array.from({ length: 500 }, (_, index) =>
      aVersion(index + 1, {
        ...anEvaluation('fail', 0.5, { issues: Array.from({ length: 50 }, () => 'x'.repeat(900)) }),
        reason: 'y'.repeat(900),
      }),
    );
    state.bestIteration = 1;
    const step = { action: 'write' };
    const seen = stateForStep({}, state, step, {}, 501);
    expect(JSON.stringify(seen['reflection_history']).length).toBeLessThan(20_000);
  });

  test('the texts of a hint are fenced, under whatever keys', () => {
    const hinted = (text: Json): LoopState => ({
      ...afterTwo(),
      hint: { text, tokenUsage: NO_USAGE, warnings: [] },
    });
    const material = (text: Json, own?: string[]) =>
      materialForStep({ state: userState, ...(own && { material: own }) }, hinted(text));
    expect(material('a text')).toBeUndefined();
    expect(material('a text', ['request'])).toEqual(['request']);
    expect(material({ style: 'plain', count: 3, reflection_output: 'x' }, ['request'])).toEqual(['request', 'style']);
    expect(material({ style: 'plain' }, ['*'])).toEqual(['*']);
  });

  test('a template that uses the whole state gets all of it', () => {
    expect(needsOfStep({ action: 'llm.call', prompt: '{{ state | tojson }}' }, undefined, {})).toMatchObject({
      keys: 'all',
      variables: 'all',
    });
  });
});
