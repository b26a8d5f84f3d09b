import { conversationRequest, conversationWarning, keepConversation } from '../../../src/loop/state/conversations';
import {
  initialState,
  type LoopState,
  type PendingOutput,
  type ReflectionVersion,
} from '../../../src/loop/state/loop-state';

function add(state: LoopState, iteration: number, best: number, pending: Partial<PendingOutput>): void {
  state.bestIteration = best;
  state.versions = [...state.versions, { iteration } as ReflectionVersion];
  keepConversation(state, iteration, pending as PendingOutput);
}

test('the best and the latest version keep their conversations, and no other', () => {
  const state = initialState(0);
  add(state, 1, 1, { conversation: ['one'] });
  add(state, 2, 1, { conversation: ['two'] });
  expect(state.conversations).toEqual({ 1: ['one'], 2: ['two'] });
  add(state, 3, 1, { conversation: ['three'] });
  expect(state.conversations).toEqual({ 1: ['one'], 3: ['three'] });
  expect(conversationRequest(state)).toEqual({ conversation: ['three'] });
  state.guidedFrom = 1;
  expect(conversationRequest(state)).toEqual({ conversation: ['one'] });
});

test('after a person’s output, the agent goes on from what it said before', () => {
  const state = initialState(0);
  add(state, 1, 1, { conversation: ['one'] });
  add(state, 2, 2, { origin: 'override' });
  expect(conversationRequest(state)).toEqual({ conversation: ['one'] });
  add(state, 3, 3, {});
  expect(state).not.toHaveProperty('conversations');
});

test('a version that is judged again keeps its own', () => {
  const state = initialState(0);
  add(state, 1, 1, { conversation: ['one'] });
  state.versions = [];
  add(state, 1, 1, { former: {} as ReflectionVersion });
  expect(conversationRequest(state)).toEqual({ conversation: ['one'] });
});

test('a conversation of more than 96 KiB is not kept, and its author is told', () => {
  expect(conversationWarning(['short'])).toBeUndefined();
  expect(conversationWarning(['x'.repeat(100_000)])).toMatch(/has 100004 bytes as JSON, more than 98304/);
});
