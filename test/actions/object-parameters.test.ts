import { z } from 'zod';
import { objectParameters } from '../../src/actions/tool';
import { readParameters } from '../../src/actions/registered';
import { defineAction } from '../../src/worker';

const schemaOf = (type: z.ZodType) => objectParameters(z.toJSONSchema(type, { io: 'input' }) as never);

describe('parameters of a tool as endpoints take them', () => {
  test('an object stays as it is', () => {
    const schema = { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: false };
    expect(objectParameters(schema)).toEqual(schema);
  });

  test('a union has the keys of all branches, and requires those that all require', () => {
    const page = z.object({ kind: z.literal('page'), title: z.string() });
    const row = z.object({ kind: z.literal('row'), cells: z.array(z.string()) });
    const { properties, required, ...rest } = schemaOf(z.discriminatedUnion('kind', [page, row]))!;
    expect(Object.keys(properties as object)).toEqual(['kind', 'title', 'cells']);
    expect((properties as { kind: object }).kind).toEqual({
      anyOf: [
        { type: 'string', const: 'page' },
        { type: 'string', const: 'row' },
      ],
    });
    expect(required).toEqual(['kind']);
    expect(rest).not.toHaveProperty('oneOf');
    expect(rest).not.toHaveProperty('anyOf');
  });

  test('an intersection has and requires the keys of both', () => {
    const both = z.intersection(z.object({ a: z.string() }), z.object({ b: z.string().optional() }));
    expect(schemaOf(both)).toMatchObject({ properties: { a: {}, b: {} }, required: ['a'] });
  });

  test('references at the top are resolved', () => {
    const $defs = {
      one: { type: 'object', properties: { a: {} }, required: ['a'] },
      two: { type: 'object', properties: { b: {} } },
    };
    expect(objectParameters({ $ref: '#/$defs/one', $defs })).toMatchObject({
      type: 'object',
      properties: { a: {} },
      required: ['a'],
    });
    expect(objectParameters({ anyOf: [{ $ref: '#/$defs/one' }, { $ref: '#/$defs/two' }], $defs })).toEqual({
      type: 'object',
      properties: { a: {}, b: {} },
      $defs,
    });
  });

  test('parameters that are no object, in any branch, are none', () => {
    expect(objectParameters({ type: 'string' })).toBeUndefined();
    expect(objectParameters({ anyOf: [{ type: 'object' }, { type: 'string' }] })).toBeUndefined();
  });
});

describe('nulls that models write', () => {
  const given = {
    query: z.string(),
    limit: z.number().optional(),
    deep: z.boolean().default(false),
    tag: z.string().nullable(),
  };
  const inner = z.object({ ...given, inside: z.object({ page: z.number().optional() }).optional() });
  const action = defineAction({ name: 'search', description: '', input: inner, run: () => null });

  test('null for an optional parameter counts as left out, at any depth', async () => {
    const written = { query: 'cats', limit: null, deep: null, tag: null, inside: { page: null } };
    expect(await readParameters(action, written)).toEqual({ query: 'cats', deep: false, tag: null, inside: {} });
  });

  test('null for a required parameter is wrong, and the message names it', async () => {
    await expect(readParameters(action, { query: null, limit: null, tag: null })).rejects.toThrow(/query: .*null/);
  });
});
