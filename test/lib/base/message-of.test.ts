import { messageOf, toError } from '../../../src/lib/base/message-of';

test.each<[string, unknown, string]>([
  ['an error', new TypeError('broken'), 'broken'],
  ['a text', 'broken', 'broken'],
  ['nothing', undefined, 'undefined'],
  ['an object without a text', Object.create(null), 'something was thrown that is no error and has no text'],
])('%s that was thrown has a message', (_what, thrown, message) => {
  expect(messageOf(thrown)).toBe(message);
  expect(toError(thrown).message).toBe(message);
});

test('an error stays the same error', () => {
  const error = new RangeError('broken');
  expect(toError(error)).toBe(error);
});
