import { jsonBytes } from '../../../src/lib/json/json-bytes';
import { continueConversation } from '../../../src/loop/revision/conversation';
import { initialState, type LoopState } from '../../../src/loop/state/loop-state';
import type { Turn } from '../../../src/loop/state/model-reply';
import { boundedTurns } from '../../../src/loop/state/turns';
import { anEvaluation, aVersion } from '../../../testing/support/versions';

function exchange(code: string, id = '1'): Turn[] {
  return [
    { role: 'assistant', content: '', toolCalls: [{ id, name: 'files.write', arguments: JSON.stringify({ code }) }] },
    { role: 'tool', toolCallId: id, name: 'files.write', content: 'written' },
  ];
}

test('arguments of old calls are left out, too: they are as long as what a model writes', () => {
  const turns = Array.from({ length: 40 }, (_, index) => exchange('x'.repeat(30_000), `${index}`)).flat();
  const bounded = boundedTurns(turns);
  expect(bounded).toHaveLength(80);
  expect(bounded.slice(-2)).toEqual(turns.slice(-2));
  expect(bounded[0]).toMatchObject({ toolCalls: [{ arguments: '{"left_out":"30011 characters"}' }] });
  expect(jsonBytes(bounded)).toBeLessThan(128 * 1024);
  const short = boundedTurns([...exchange('x'), ...exchange('y'.repeat(98_400))]);
  expect(short[0]).toMatchObject({ toolCalls: [{ arguments: '{"code":"x"}' }] });
});

test.each([
  ['long arguments', 'x'.repeat(30_000)],
  ['three bytes a character', '\u6f22'.repeat(9_000)],
  ['many short turns', 'x'],
])('a conversation of any number of versions stays bounded: %s', (_what, code) => {
  const state: LoopState = initialState(0);
  for (let iteration = 1; iteration <= 300; iteration += 1) {
    const base = { ...aVersion(iteration, anEvaluation('fail', 0.5)), output: `answer ${iteration}` };
    const outcome = {
      output: 'x',
      warnings: [],
      request: 'Not accepted.',
      reply: { turns: exchange(code).concat(exchange(code)) },
    };
    state.replies ??= { 1: { isConversation: true } };
    const { reply } = continueConversation(state, outcome, base);
    state.replies = { [iteration + 1]: { ...reply!, isConversation: true } };
  }
  const { turns = [] } = state.replies![301]!;
  expect(jsonBytes(turns)).toBeLessThanOrEqual(128 * 1024);
  // Older answers go as a whole: results follow their calls, and the prompt is followed by an answer.
  expect(turns[0]!.role).toBe('assistant');
  expect(turns.slice(-5)[0]).toEqual({ role: 'request', content: 'Not accepted.' });
  expect(turns.slice(-4)).toEqual([...exchange(code), ...exchange(code)]);
});
