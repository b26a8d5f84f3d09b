import { firstDifference } from '../../../src/apps/testing/replay/replay-runs';

describe('what a later history lacks of an earlier one', () => {
  test.each<[string, unknown, unknown, string | undefined]>([
    ['the same', { a: [1, { b: null }] }, { a: [1, { b: null }] }, undefined],
    ['a field more', { a: 1 }, { a: 1, b: 2 }, undefined],
    ['a field less', { a: { b: 1 } }, { a: {} }, '/a/b was 1 and is nothing'],
    ['another value', { a: [1, 2] }, { a: [1, 3] }, '/a/1 was 2 and is 3'],
    ['an item more', [1], [1, 2], 'the end was [1] and is [1,2]'],
    ['a list for an object', { a: { b: 1 } }, { a: [1] }, '/a was {"b":1} and is [1]'],
    ['null for an object', { a: {} }, { a: null }, '/a was {} and is null'],
    ['a long text', 'x'.repeat(200), '', `the end was "${'x'.repeat(119)}… and is ""`],
  ])('%s', (_what, before, now, difference) => {
    expect(firstDifference(before, now)).toBe(difference);
  });
});
