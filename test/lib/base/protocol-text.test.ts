import * as fc from 'fast-check';
import {
  LONGEST_ID_BYTES,
  protocolTextProblem,
  shownText,
  wellFormedMessage,
  wellFormedText,
} from '../../../src/lib/names/protocol-text';
import { cutText, summaryText } from '../../../src/lib/text/summary-text';
import { boundedText } from '../../../src/loop/evaluation/bounded';
import { oddText } from '../../../testing/support/odd-texts';

/** Whether UTF-8 says the same text. */
const isUtf8 = (text: string): boolean => Buffer.from(text, 'utf8').toString('utf8') === text;

test('a text that the protocol takes is UTF-8, has no U+0000 and is no longer than an id; any other is told why', () => {
  fc.assert(
    fc.property(oddText, (text) => {
      const isGood = isUtf8(text) && !text.includes('\0') && Buffer.byteLength(text) <= LONGEST_ID_BYTES;
      return (protocolTextProblem(text) === undefined) === isGood;
    }),
    { numRuns: 30_000 },
  );
  expect(protocolTextProblem('é'.repeat(500))).toBeUndefined();
  expect(protocolTextProblem('é'.repeat(501))).toBe('has 1002 bytes as UTF-8; at most 1000 are possible');
});

test('what is made well-formed is UTF-8, as long as before, and the same text where it was UTF-8', () => {
  fc.assert(
    fc.property(oddText, (text) => {
      const made = wellFormedText(text);
      return isUtf8(made) && made.length === text.length && (made === text || !isUtf8(text));
    }),
    { numRuns: 40_000 },
  );
});

test('what people are shown has no mark that turns its direction, and is cut between characters', () => {
  fc.assert(
    fc.property(oddText, fc.integer({ min: 1, max: 12 }), (text, most) => {
      const shown = [shownText(text), summaryText(text)];
      // A cut makes no half where there was none.
      const cut = isUtf8(text) ? [cutText(text, most), boundedText(text, most + 30)] : [];
      return [...shown, ...cut].every(isUtf8) && !shown.some((each) => /[\0\u202a-\u202e\u2066-\u2069]/.test(each));
    }),
    { numRuns: 30_000 },
  );
});

test('a message is made well-formed wherever a text stands in it, and is the same object where nothing had to be', () => {
  const data = new Uint8Array([0xed, 0xa0, 0x80]);
  const long = new Date(0);
  const good = { id: 'a', nested: [{ name: '😀', data, long }], none: null, number: 1 };
  expect(wellFormedMessage(good)).toBe(good);
  const bad = { id: 'a\ud800', 'key\udc00': [{ name: 'b\udfff', data, long }, '\ud83d'] };
  expect(wellFormedMessage(bad)).toEqual({ id: 'a\ufffd', 'key\ufffd': [{ name: 'b\ufffd', data, long }, '\ufffd'] });
  expect(bad.id).toBe('a\ud800');
});
