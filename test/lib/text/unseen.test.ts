import { escapeHtml, readableJson } from '../../../src/apps/report/html';
import { printable } from '../../../src/apps/cli/views/printable';

const unseen = (): string[] => {
  const found: string[] = [];
  for (let code = 0; code <= 0x10ffff; code += 1) {
    const one = String.fromCodePoint(code);
    if (/[\p{Default_Ignorable_Code_Point}\p{Z}\p{Cc}\p{Cs}\u2800]/u.test(one) && !/[\t\n\r ]/.test(one))
      found.push(one);
  }
  return found;
};
const numberOf = (one: string): string => one.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');

// Who approves `ceo@example.com` must see that it is another address.
describe('characters that a reader cannot see', () => {
  const all = unseen();

  test('the class has all of them', () => {
    expect(all.length).toBeGreaterThan(4_000);
    expect(all).toEqual(
      expect.arrayContaining(['\u00ad', '\u061c', '\u180e', '\u200b', '\u3164', '\ufe0f', '\u{e0041}']),
    );
  });

  test('each is shown by its number on pages and in the terminal, wherever it stands in an address', () => {
    const hidden = all.filter((one) =>
      [`ceo@example.com${one}`, `ceo${one}@example.com`, `a${one}b@example.com`].some((text, index) => {
        // A blank between visible characters is seen.
        if (index > 0 && /[\u00a0\u202f\u3000]/.test(one)) return false;
        const mark = `⟦U+${numberOf(one)}⟧`;
        const isControl = /\p{Cc}/u.test(one);
        const shown = printable(text);
        return !escapeHtml(text).includes(mark) || !shown.includes(isControl ? '\ufffd' : mark) || shown.includes(one);
      }),
    );
    expect(hidden.map(numberOf)).toEqual([]);
  });

  test('each is written as an escape in JSON that a person may edit, which stays the same value', () => {
    const hidden = all.filter((one) => {
      const text = readableJson({ to: `a${one}b${one}` });
      return text.slice(10).includes(one) && !/[\u00a0\u202f\u3000]/.test(one);
    });
    expect(hidden.map(numberOf)).toEqual([]);
    for (const one of all) expect(JSON.parse(readableJson([`a${one}`]))).toEqual([`a${one}`]);
  });

  test.each([
    ['an emoji of several parts', '👨‍👩‍👧 ❤️ 👩🏽‍🚀 1️⃣'],
    ['Persian and Hindi words with a joiner', 'می‌خواهم क्‍ष'],
    ['blanks of French and Japanese', '10\u00a0000\u202f€ \u3000東京\u3000大阪'],
    ['lines and tabs', 'one\n\ttwo  three'],
  ])('%s stays as it is written', (_name, text) => {
    expect(escapeHtml(text)).toBe(text);
    expect(printable(text)).toBe(text);
  });

  test('takes linear time for a long run of blanks', () => {
    const blanks = '\u00a0'.repeat(100_000);
    expect(printable(blanks)).toBe('⟦U+00A0⟧'.repeat(100_000));
  });
});
