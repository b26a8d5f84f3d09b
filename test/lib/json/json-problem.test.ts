import * as fc from 'fast-check';
import { DEEPEST, isJson } from '../../../src/lib/json/json';
import { jsonProblem } from '../../../src/lib/json/json-problem';
import { expectWithin } from '../../../testing/support/processor-time';

/** Puts a value into as many objects, each with further parts before the next one. */
function nested(levels: number, value: unknown, beside: object = {}): unknown {
  let whole = value;
  for (let level = 0; level < levels; level += 1) whole = { ...beside, a: whole };
  return whole;
}

const TOO_DEEP = { path: [], message: `is nested more than ${DEEPEST} levels deep, or contains itself` };

test.each([DEEPEST + 1, 600, 1_000, 3_000])('%d levels are too deep', (levels) => {
  expect(jsonProblem(nested(levels, {}))).toEqual(TOO_DEEP);
});

test('as many levels as there may be are no problem, and what is wrong in the last one has its place', () => {
  expect(jsonProblem(nested(DEEPEST, 'text'))).toBeUndefined();
  const { path, message } = jsonProblem(nested(DEEPEST, new Date()))!;
  expect(path).toEqual(Array.from({ length: DEEPEST }, () => 'a'));
  expect(message).toMatch(/^is a Date, /);
});

test('there is a problem where a value is no JSON, and only there', () => {
  fc.assert(
    fc.property(fc.anything({ withDate: true, withMap: true, withBigInt: true, withNullPrototype: true }), (value) => {
      expect(jsonProblem(value) === undefined).toBe(isJson(value));
    }),
  );
});

test('a large value that is a level too deep is looked through once', async () => {
  const many = Array.from({ length: 2_000 }, (_, at) => at);
  const value = nested(DEEPEST + 1, {}, { many });
  expect(await expectWithin(500, () => jsonProblem(value))).toEqual(TOO_DEEP);
});
