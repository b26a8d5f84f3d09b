import { codeNeeds } from '../../../src/loop/step-state/project';

describe('what inline code reads of the state', () => {
  test.each([
    ['state.topic', ['topic']],
    ['x = state["my key"] + topic', ['my key', 'topic']],
    ["state.get('topic', '')", ['topic']],
    ['Result = T, state(topic, T)', ['topic']],
  ])('%s names its keys', (code, keys) => {
    const needs = codeNeeds(code);
    expect(needs.keys).toEqual(expect.arrayContaining(keys));
    expect(needs).toMatchObject({ history: 'none', variables: [] });
  });

  test.each([
    'for key in state: pass',
    'state.items()',
    'state[name]',
    'state.get(name)',
    'pairs(state)',
    'state(Key, Value)',
    'state(S)',
    'x = State.topic; foo(State)',
    'dict(state)',
    'globals()["topic"]',
    '_G[name]',
  ])('%s may read any key', (code) => {
    expect(codeNeeds(code)).toMatchObject({ keys: 'all', variables: 'all', history: 'digest' });
  });

  test('old outputs travel to code that mentions them only', () => {
    expect(codeNeeds('len(reflection_history)')).toMatchObject({ history: 'full', variables: ['reflection_history'] });
    expect(codeNeeds('reflection_best_score > 0.5')).toMatchObject({ history: 'digest' });
    expect(codeNeeds('return output').variables).toEqual(['reflection_output']);
    expect(codeNeeds('Result = Output.').variables).toEqual(['reflection_output']);
  });
});
