import * as fc from 'fast-check';
import { RE2JS } from 're2js';
import { fileSchemas } from '../../../src/apps/yaml';
import { jsonSchemas } from '../../../src/kinds/list/schemas';
import { portablePattern } from '../../../src/lib/contract/convert';

/** Patterns in a JSON Schema. */
function patternsIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]) =>
    key === 'pattern' && typeof value === 'string' ? [value] : patternsIn(value),
  );
}

const published = [...new Set(patternsIn({ ...jsonSchemas(), ...fileSchemas() }))];

/** Forms that Python, Go, Rust or Java lack, or write in another way. */
const NOT_SHARED = /\(\?[=!<]|\\[pPuk/]|\\[1-9]/;

test('every pattern of the JSON Schemas is one for Python, Go, Rust and Java', () => {
  expect(published.length).toBeGreaterThan(8);
  expect(published.filter((pattern) => NOT_SHARED.test(pattern))).toEqual([]);
  expect(() => published.map((pattern) => RE2JS.compile(pattern))).not.toThrow();
});

test.each<[string, RegExp]>([
  ['names without control characters', /^\P{Cc}+$/u],
  ['names without a slash', /^[^/\p{Cc}]{1,100}$/u],
  ['names that begin with a letter or a digit, of which it takes others, too', /^[\p{L}\p{N}]/u],
  ['names with a forbidden beginning, which it takes, too', /^(?!__temporal_|\/_sys\/)\P{Cc}+$/u],
  ['texts of languages without spaces', /\S\s+\S|[\u0e00-\u0eff\u3040-\u30ff]/],
])('the portable form takes %s', (what, pattern) => {
  const portable = new RegExp(portablePattern(pattern.source), 'u');
  const takesMore = what.includes('too');
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 12 }),
    fc.string({
      unit: fc.constantFrom('a', '/', '\u0085', '\u007f', '\n', 'ä', '名', '-', '{', '7', 'ก', ' '),
      maxLength: 6,
    }),
  );
  fc.assert(
    fc.property(text, (each) => {
      if (pattern.test(each)) expect(portable.test(each)).toBe(true);
      else if (!takesMore) expect(portable.test(each)).toBe(false);
    }),
    { numRuns: 500 },
  );
});
