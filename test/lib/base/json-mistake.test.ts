import fc from 'fast-check';
import { jsonMistake } from '../../../src/lib/json/json-mistake';

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe('a mistake in JSON', () => {
  test.each([
    ['{"number": 1, total: 2}', 'line 1, column 15: a name in double quotes is expected'],
    ['{\n  "a": 1,\n}', 'line 3, column 1: a name in double quotes is expected'],
    ['{"a" 1}', 'line 1, column 6: a ":" is expected'],
    ['[1 2]', 'line 1, column 4: a "," or "]" is expected'],
    ['{"a": 1', 'line 1, column 8: a "," or "}" is expected'],
    ['[1,]', 'line 1, column 4: a value is expected'],
    ['[', 'line 1, column 2: a value or "]" is expected'],
    ['{', 'line 1, column 2: a name in double quotes or "}" is expected'],
    ['{"a": "b\n"}', 'line 1, column 7: a value is expected'],
    ['{} and more', 'line 1, column 4: nothing is expected behind the value'],
    ['', 'line 1, column 1: a value is expected'],
    ["{'a': 1}", 'line 1, column 2: a name in double quotes or "}" is expected'],
  ])('%j', (text, mistake) => {
    expect(jsonMistake(text)).toBe(mistake);
  });

  test('is found where JSON.parse finds one, and nowhere else', () => {
    const edits = fc.tuple(
      fc.json(),
      fc.nat(),
      fc.nat({ max: 3 }),
      fc.constantFrom('', ',', '}', '"', 'x', ' ', '\n', '0'),
    );
    fc.assert(
      fc.property(edits, ([json, at, length, put]) => {
        const from = at % (json.length + 1);
        const text = json.slice(0, from) + put + json.slice(from + length);
        expect(jsonMistake(text) === undefined).toBe(parses(text));
        expect(jsonMistake(json)).toBeUndefined();
      }),
      { numRuns: 5_000 },
    );
  });
});
