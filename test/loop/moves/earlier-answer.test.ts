import fc from 'fast-check';
import { canonicalJson } from '../../../src/lib/json/canonical-json';
import { earlierAnswer } from '../../../src/loop/moves/person-results';
import type { Turn } from '../../../src/loop/state/model-reply';

const call = (given: string, id = 'new', name = 'pay') => ({ id, name, arguments: given });
const turns = (...ends: { given: string; name?: string; isFinal?: true }[]): Turn[] =>
  ends.flatMap(({ given, name = 'pay', isFinal }, index): Turn[] => [
    // Ids may begin anew in each reply.
    { role: 'assistant', content: '', toolCalls: [call(given, 'call-1', name)] },
    { role: 'tool', toolCallId: 'call-1', name, content: `end ${index}`, ...(isFinal && { isFinal }) },
  ]);

test.each<[what: string, turns: Turn[], given: string, name: string, found: string | undefined]>([
  ['the same arguments', turns({ given: '{"a":1}', isFinal: true }), '{"a":1}', 'pay', 'end 0'],
  [
    'other white space and another order',
    turns({ given: '{"a":1,"b":2}', isFinal: true }),
    '{ "b": 2, "a": 1 }',
    'pay',
    'end 0',
  ],
  ['no arguments', turns({ given: '', isFinal: true }), '{}', 'pay', 'end 0'],
  ['a text that is no JSON', turns({ given: '{"a"', isFinal: true }), '{"a"', 'pay', 'end 0'],
  ['other arguments', turns({ given: '{"a":1}', isFinal: true }), '{"a":2}', 'pay', undefined],
  ['another name', turns({ given: '{"a":1}', isFinal: true }), '{"a":1}', 'refund', undefined],
  ['a call that was made', turns({ given: '{"a":1}' }), '{"a":1}', 'pay', undefined],
  [
    'the second of two replies',
    turns({ given: '{"a":1}', isFinal: true }, { given: '{"a":2}', isFinal: true }),
    '{"a":2}',
    'pay',
    'end 1',
  ],
])('the earlier answer of a call is found by name and arguments: %s', (_what, before, given, name, found) => {
  const answer = earlierAnswer(before, call(given, 'new', name));
  expect(answer?.content).toBe(found);
  if (found !== undefined) expect(answer).toMatchObject({ toolCallId: 'new', failed: true });
});

test('an earlier answer to a question is no failure', () => {
  const before = turns({ given: '{"question":"Who?"}', name: 'ask_person', isFinal: true });
  expect(earlierAnswer(before, call('{"question":"Who?"}', 'new', 'ask_person'))!.failed).toBe(false);
});

test('equal values have one canonical JSON, whatever the order of their keys, and it is their JSON', () => {
  fc.assert(
    fc.property(fc.json(), (json) => {
      const value: unknown = JSON.parse(json);
      const text = canonicalJson(value);
      expect(JSON.parse(text)).toEqual(value);
      const reversed: unknown = JSON.parse(json, (_key, inner: unknown) =>
        typeof inner === 'object' && inner !== null && !Array.isArray(inner)
          ? Object.fromEntries(Object.entries(inner).toReversed())
          : inner,
      );
      expect(canonicalJson(reversed)).toBe(text);
    }),
  );
});

test('values that JSON does not know are not lost in canonical JSON', () => {
  expect(canonicalJson({ big: 2n ** 70n, set: new Set([1]), map: new Map([['a', 1]]), at: new Date(0) })).toBe(
    '{"at":"1970-01-01T00:00:00.000Z","big":"1180591620717411303424","map":[["a",1]],"set":[1]}',
  );
  expect(canonicalJson(undefined)).toBe('null');
});
