import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { OWN_WORDS } from '../../../src/lib/contract/issue-sentence';

type Code = z.core.$ZodIssue['code'];
type Sample = [schema: z.ZodType, value: unknown, sentence: string];

/** Values that zod refuses with each of its codes, and our sentence of each. */
const SAMPLES: Record<Code, Sample[]> = {
  invalid_type: [
    [z.string(), 7, 'must be a text, not 7'],
    [z.number(), 'seven', 'must be a number, not a text'],
    [z.number(), Number.NaN, 'must be a number, not NaN'],
    [z.int(), 1.5, 'must be a whole number, not 1.5'],
    [z.array(z.string()), {}, 'must be a list, not an object'],
    [z.object({}), [], 'must be an object, not a list'],
    [z.object({ a: z.string() }), {}, 'is required'],
    [z.date(), 'x', 'must be a date, not a text'],
    [z.null(), true, 'must be null, not true'],
    [z.never(), 1, 'must be left out'],
    [z.string().optional().nonoptional(), undefined, 'is required'],
  ],
  invalid_value: [
    [z.literal('first'), 'other', 'must be "first", not "other"'],
    [z.enum(['good', 'poor']), 'goood', 'must be one of "good", "poor", not "goood" (did you mean good?)'],
    [z.enum(['good', 'poor']), null, 'must be one of "good", "poor", not null'],
  ],
  too_big: [
    [z.number().max(1), 2, 'must be at most 1, not 2'],
    [z.number().lt(1), 1, 'must be below 1, not 1'],
    [z.string().max(2), 'abc', 'must have at most 2 characters, not 3'],
    [z.string().length(1), 'abc', 'must have exactly 1 character, not 3'],
    [z.array(z.unknown()).max(1), [1, 2], 'must have at most 1 entry, not 2'],
    [z.date().max(new Date(0)), new Date(1), 'must be at most 1970-01-01T00:00:00.000Z, not 1970-01-01T00:00:00.001Z'],
  ],
  too_small: [
    [z.number().min(1), 0, 'must be at least 1, not 0'],
    [z.bigint().gt(1n), 1n, 'must be above 1, not 1'],
    [z.string().min(1), '', 'must not be empty'],
    [z.array(z.unknown()).min(2), [1], 'must have at least 2 entries, not 1'],
    [z.set(z.unknown()).min(2), new Set([1]), 'must have at least 2 entries, not 1'],
  ],
  invalid_format: [
    [z.email(), 'x', 'must be an email address'],
    [z.iso.date(), 'x', 'must be a date such as 2025-01-31'],
    [z.ulid(), 'x', 'must be a text of the format ulid'],
    [z.string().regex(/^a$/), 'b', 'must match the pattern /^a$/'],
    [z.string().startsWith('a'), 'b', 'must start with "a"'],
    [z.string().includes('a'), 'b', 'must contain "a"'],
  ],
  not_multiple_of: [[z.number().multipleOf(5), 7, 'must be a multiple of 5, not 7']],
  unrecognized_keys: [[z.strictObject({}), { a: 1, b: 2 }, 'has unknown fields: "a", "b"']],
  invalid_union: [
    [z.union([z.string(), z.number()]), true, 'must be a text or a number, not true'],
    [z.union([z.string(), z.literal(false)]), 1, 'must be a text or false, not 1'],
    [z.union([z.string(), z.object({ a: z.number() })]), { a: 'x' }, '/a must be a number, not a text'],
    [
      z.discriminatedUnion('kind', [z.object({ kind: z.literal('cat') }), z.object({ kind: z.literal('dog') })]),
      { kind: 'cot' },
      'must be one of "cat", "dog", not "cot" (did you mean cat?)',
    ],
    [z.xor([z.string(), z.string().min(1)]), 'x', 'fits more than one of the forms of which it may have one'],
  ],
  invalid_key: [
    [
      z.record(z.string().max(1), z.unknown()),
      { ab: 1 },
      'has the name "ab", which must have at most 1 character, not 2',
    ],
  ],
  invalid_element: [
    [
      z.map(z.object({}), z.number()),
      new Map([[{}, 'x']]),
      'has a wrong entry [object Object], which must be a number, not a text',
    ],
  ],
  custom: [[z.unknown().refine(() => false), 1, 'is not valid']],
};

const rows = Object.entries(SAMPLES).flatMap(([code, samples]) =>
  samples.map(([schema, value, sentence]) => ({ code, schema, value, sentence })),
);

test.each(rows)('$code: $sentence', ({ code, schema, value, sentence }) => {
  const { error } = schema.safeParse(value, OWN_WORDS);
  expect(error?.issues).toMatchObject([{ code, message: sentence }]);
});

test('the codes are all that zod has', () => {
  // The declarations of zod as installed: a code that a release adds stands there.
  const file = path.join(path.dirname(require.resolve('zod/package.json')), 'v4', 'core', 'errors.d.ts');
  const declared = readFileSync(file, 'utf8').matchAll(/readonly code: "(\w+)"/g);
  expect(new Set([...declared].map(([, code]) => code))).toEqual(new Set(Object.keys(SAMPLES)));
});

test('the words of a schema and of a refinement stay, and global settings of zod do not count', () => {
  const schema = z.object({ a: z.string('wants a name'), b: z.number().refine(() => false, 'is odd'), c: z.string() });
  z.config({ customError: () => 'global' });
  try {
    const { error } = schema.safeParse({ a: 1, b: 1, c: 1 }, OWN_WORDS);
    expect(error?.issues.map(({ message }) => message)).toEqual(['wants a name', 'is odd', 'must be a text, not 1']);
  } finally {
    z.config({ customError: undefined });
  }
});
