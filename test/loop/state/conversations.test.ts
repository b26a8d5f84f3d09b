import {
  conversationRequest,
  conversationWarning,
  keepConversation,
  noteContinued,
} from '../../../src/loop/state/conversations';
import {
  initialState,
  type LoopState,
  type PendingOutput,
  type ReflectionVersion,
} from '../../../src/loop/state/loop-state';
import { evidenceOf } from '../../../src/loop/versions/evidence';

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

test('an agent that goes on from the version that a person chose has its evidence, and none of a later one', () => {
  const state = initialState(0);
  const version = (iteration: number, name: string): ReflectionVersion =>
    ({
      iteration,
      origin: 'draft',
      calls: [{ name, outcome: 'ok', source: 'reported' }],
    }) as never as ReflectionVersion;
  state.versions = [version(1, 'first'), version(2, 'second')];
  const namesFrom = (guided: ReflectionVersion | undefined, conversations: Record<number, string>) => {
    state.conversations = conversations;
    delete state.continued;
    state.pending = { origin: 'regeneration', conversation: 'third' } as never as PendingOutput;
    noteContinued(state, guided);
    return (evidenceOf(state, state.pending, 3).calls ?? []).map(({ name }) => name);
  };
  expect(namesFrom(state.versions[0], { 1: 'one', 2: 'two' })).toEqual(['first']);
  // Its conversation is not kept any more, so that the agent began a new one.
  expect(namesFrom(state.versions[0], { 2: 'two' })).toEqual([]);
  expect(namesFrom(undefined, { 1: 'one', 2: 'two' })).toEqual(['second']);
});
