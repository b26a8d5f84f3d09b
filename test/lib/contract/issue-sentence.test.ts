import { z } from 'zod';
import { OWN_WORDS } from '../../../src/lib/contract/issue-sentence';

type Code = z.core.$ZodIssue['code'];
type Sample = [schema: z.ZodType, value: unknown, sentence: string];

/** Values that zod refuses, with our sentence of each; the last are zod's own. */
const SAMPLES: Partial<Record<Code, Sample[]>> = {
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
  too_big: [[z.number().max(1), 2, 'Too big: expected number to be <=1']],
  invalid_format: [[z.email(), 'x', 'Invalid email address']],
};

const rows = Object.entries(SAMPLES).flatMap(([code, samples]) =>
  samples.map(([schema, value, sentence]) => ({ code, schema, value, sentence })),
);

test.each(rows)('$code: $sentence', ({ code, schema, value, sentence }) => {
  const { error } = schema.safeParse(value, OWN_WORDS);
  expect(error?.issues).toMatchObject([{ code, message: sentence }]);
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
