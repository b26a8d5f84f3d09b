import { type RepeatableCall, callKey, wasAnswered, isRepeatable } from '../../../src/loop/revision/repeated-call';
import { noteAnswered } from '../../../src/loop/state/notes';
import type { Step } from '../../../src/loop/contract/steps';
import { initialState } from '../../../src/loop/state/loop-state';

const step = { action: 'llm.call' as const, prompt: 'Mend {{ state.reflection_output }}', temperature: 0 };
const asked = (more: Partial<RepeatableCall> = {}): RepeatableCall => ({
  step,
  task: 'A haiku',
  state: { reflection_output: 'x', reflection_iteration: 2 },
  ...more,
});

describe('calls at temperature 0', () => {
  test.each<[string, Step, boolean]>([
    ['a model at 0', step, true],
    ['at its own temperature', { action: 'llm.call', prompt: 'x' }, false],
    ['at another one', { ...step, temperature: 0.1 }, false],
    ['with tools', { ...step, tools: ['look_up'] }, false],
    ['an action', { action: 'orders.make' }, false],
    ['code', { run: 'return 1' }, false],
  ])('have the same reply each time: %s', (_case, given, repeatable) => {
    expect(isRepeatable(given)).toBe(repeatable);
  });

  test('are the same where their prompt is', () => {
    const key = callKey(asked());
    expect(callKey(asked({ state: { reflection_output: 'x', reflection_iteration: 3 } }))).toBe(key);
    const others: Partial<RepeatableCall>[] = [
      { state: { reflection_output: 'y', reflection_iteration: 2 } },
      { task: 'A sonnet' },
      { task: undefined },
      { step: { ...step, model: 'other' } },
      { revision: { output: 'x', issues: [], suggestions: [], attempts: [] } },
    ];
    expect(new Set([key, ...others.map((more) => callKey(asked(more)))]).size).toBe(others.length + 1);
  });

  test('differ in each iteration if their prompt names it', () => {
    const counted = { ...step, prompt: 'Try {{ state.reflection_iteration }}' };
    const keys = [2, 3].map((iteration) =>
      callKey(asked({ step: counted, state: { reflection_iteration: iteration } })),
    );
    expect(keys[0]).not.toBe(keys[1]);
  });

  test('are remembered, the latest of them', () => {
    const state = initialState(0);
    noteAnswered(state, undefined);
    expect(state).not.toHaveProperty('answered');
    for (let call = 0; call < 25; call++) noteAnswered(state, `call ${call}`);
    expect(state.answered).toHaveLength(20);
    expect([wasAnswered(state, 'call 24'), wasAnswered(state, 'call 0'), wasAnswered(state, undefined)]).toEqual([
      true,
      false,
      false,
    ]);
  });
});
