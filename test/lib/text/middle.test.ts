import fc from 'fast-check';
import { utf8Bytes } from '../../../src/lib/json/json-bytes';
import { withoutMiddle } from '../../../src/lib/text/middle';

test('a text that fits is whole, and a longer one has its beginning, its end and the number of characters left out', () => {
  expect(withoutMiddle('short', 100)).toBe('short');
  const text = `${'a'.repeat(300)}${'z'.repeat(300)}`;
  const short = withoutMiddle(text, 200);
  const [, beginning = '', left, end = ''] = /^(a+)\n\[left out: (\d+) characters\]\n(z+)$/.exec(short) ?? [];
  expect(beginning.length).toBeGreaterThan(end.length);
  expect(beginning.length + Number(left) + end.length).toBe(600);
});

test('a shortened text never takes more bytes than it may, and no character of it is cut', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 600 }), fc.integer({ min: 60, max: 900 }), (text, most) => {
      const short = withoutMiddle(text, most);
      expect(utf8Bytes(short)).toBeLessThanOrEqual(Math.max(most, 60));
      expect(Buffer.from(short).toString()).toBe(short);
      expect(short === text).toBe(utf8Bytes(text) <= most);
    }),
  );
});
