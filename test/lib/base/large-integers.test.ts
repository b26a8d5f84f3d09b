import * as fc from 'fast-check';
import { isJsonObject, type Json } from '../../../src/lib/json/json';
import { valueAt } from '../../../src/lib/json/json-pointer';
import { largeInteger, losesDigits, readExactly, writeExactly } from '../../../src/lib/json/large-integers';
import { largeIntegerIn } from '../../../src/loop/evaluation/output-reading';

const ID = '2512292042121000001';

test.each<[string, string | undefined]>([
  [`{"id": ${ID}}`, '/id'],
  [`{"id": -${ID}}`, '/id'],
  [`{"a,[": {"b\\"": [1, "x", {"c/d": ${ID}}]}}`, '/a,[/b"/2/c~1d'],
  [`[[], {}, [1, 2], ${ID}]`, '/3'],
  [ID, ''],
  [`{"id": "${ID}"}`, undefined],
  [`{"${ID}": 1}`, undefined],
  ['{"share": 0.12345678901234567891, "big": 1.5e300, "tiny": 1e-20}', undefined],
  // These are kept, so that nothing is lost.
  ['[9007199254740992, 1000000000000000000, -10000000000000000000000]', undefined],
  ['[9007199254740993]', '/0'],
  // What JavaScript itself writes of such a number is read as that number.
  ['[-52663021490970250]', undefined],
  [`[${'9'.repeat(400)}]`, '/0'],
])('%s: the place is %j', (json, path) => {
  expect(largeInteger(json)?.path).toBe(path);
});

test('a whole number that changes is found wherever it stands, and nothing else is', () => {
  const value = fc.letrec<{ value: Json }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4, depthSize: 'small' },
      fc.constant(null),
      fc.boolean(),
      fc.string(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.integer(),
      fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n }).map((big) => `!${big}`),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(fc.string(), tie('value'), { maxKeys: 4 }),
    ),
  })).value;
  const bigs = (at: Json): string[] =>
    typeof at === 'string'
      ? /^!-?\d+$/.test(at)
        ? [at.slice(1)]
        : []
      : Array.isArray(at)
        ? at.flatMap(bigs)
        : isJsonObject(at)
          ? Object.values(at).flatMap(bigs)
          : [];
  fc.assert(
    fc.property(value, (made) => {
      const json = JSON.stringify(made, null, 1).replace(/"!(-?\d+)"(?!:)/g, '$1');
      const lost = bigs(made).filter((big) => String(BigInt(Number(big))) !== big && String(Number(big)) !== big);
      const found = largeInteger(json);
      if (found === undefined) return lost.length === 0;
      // A key may be there twice, once with quotes in it.
      return lost.includes(found.source) && valueAt(JSON.parse(json) as Json, found.path) === Number(found.source);
    }),
    { numRuns: 5_000 },
  );
});

test('digits are lost by what a number cannot hold, and what was read exactly is written with all of them', () => {
  expect([ID, `-${ID}`, `+${ID}`, '9007199254740993'].every(losesDigits)).toBe(true);
  expect(['9007199254740991', '1e300', '0.1234567890123456789', 'a', ''].some(losesDigits)).toBe(false);
  const json = `{"name":"look","arguments":{"id":${ID},"text":"${ID}"}}`;
  expect(writeExactly(readExactly(json))).toBe(json);
  expect(largeIntegerIn(`The id is {"id": ${ID}}.`)).toEqual({ source: ID, path: '/id' });
  expect(largeIntegerIn(`The id is ${ID}, {"a": 1}.`)).toBeUndefined();
});
