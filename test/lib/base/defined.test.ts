import { omitUndefined } from '../../../src/lib/base/defined';

describe('defined', () => {
  test('leaves out keys without a value, and keeps null, false, 0 and the order', () => {
    const kept = omitUndefined({ b: undefined, z: 0, a: null, c: false, d: '' });
    expect(Object.entries(kept)).toEqual([
      ['z', 0],
      ['a', null],
      ['c', false],
      ['d', ''],
    ]);
  });

  test('changes nothing in its argument', () => {
    const given = { a: undefined };
    omitUndefined(given);
    expect(Object.keys(given)).toEqual(['a']);
  });
});
