import { createActionRegistry } from '../../src/actions/registry';
import { prepareSpec } from '../../src/activities/prepare/prepare';
import type { Json, JsonObject } from '../../src/lib/json/json';
import { judgeOutput } from '../../src/evaluators/schema/schema';
import { createModels } from '../../src/lib/models';
import { readyThreads } from './ready-threads';
import { freshSchema, within } from './within';

const context = {
  models: createModels([], {}),
  actions: createActionRegistry([]),
  signal: new AbortController().signal,
};

/** Prepares a spec with this schema, in other words each time, so that no cache knows it. */
const prepare = (schema: JsonObject) =>
  prepareSpec(
    { generator: { action: 'llm.call', prompt: 'x' }, evaluator: { type: 'schema', schema: freshSchema(schema) } },
    { ...context, searchAttributes: () => Promise.resolve(true) },
  );

function named(size: number, make: (at: number) => Json, prefix = 'p'): JsonObject {
  return Object.fromEntries(listed(Math.floor(size), (at) => [`${prefix}${at}`, make(at)] as const));
}

function listed<T>(size: number, make: (at: number) => T): T[] {
  return Array.from({ length: Math.floor(size) }, (_, at) => make(at));
}

let numbers = 0;
/** A number for a pattern that no cache knows. */
const another = (): number => ++numbers;

beforeAll(readyThreads);

describe('schemas that take long to compile', () => {
  /** Each has a thousand rules. With twenty times as many and a tenth more, it is refused before it is compiled. */
  const JUST_UNDER: [string, (size: number) => JsonObject][] = [
    ['properties', (size) => ({ properties: named(495 * size, () => ({ type: 'string' })) })],
    [
      'properties with patterns',
      (size) => ({ properties: named(165 * size, () => ({ pattern: `^x${another()}\\d+$` })) }),
    ],
    ['properties that must not be', (size) => ({ properties: named(990 * size, () => false) })],
    [
      'names by pattern',
      (size) => ({ patternProperties: named(198 * size, () => ({ type: 'string' }), `^x${another()}\\d`) }),
    ],
    ['choices', (size) => ({ oneOf: listed(330 * size, (at) => ({ required: [`a${at}`] })) })],
    [
      'parts, and nothing else',
      (size) => ({
        unevaluatedProperties: false,
        allOf: listed(245 * size, (at) => ({ properties: { [`a${at}`]: { type: 'null' } } })),
      }),
    ],
    ['names that need names', (size) => ({ dependentRequired: named(90 * size, () => listed(10, (at) => `n${at}`)) })],
    ['values that are objects', (size) => ({ enum: listed(995 * size, (a) => ({ a })) })],
    [
      'references to one of many',
      (size) => ({
        $defs: { a: { properties: named(245 * size, () => ({ type: 'null' })) } },
        properties: named(245 * size, () => ({ $ref: '#/$defs/a' })),
      }),
    ],
  ];
  test.each(JUST_UNDER)('a schema just under the limits, of %s, is ready in time', async (_name, schema) => {
    const prepared = await within(() => prepare(schema(1)));
    if (prepared instanceof Error) throw prepared;
    expect(await within(() => prepare(schema(22)))).toMatchObject({
      type: 'InvalidSpec',
      message: expect.stringMatching(/more than 20000 rules|more than 524288 characters/) as string,
    });
  });

  test('a schema of the size that published ones have is taken: the limit is the time that it takes', async () => {
    const setting = (at: number): Json =>
      [{ type: 'string' }, { type: 'integer', minimum: 0 }, { enum: ['on', 'off'] }][at % 3]!;
    const block = (name: string): JsonObject => ({
      type: 'object',
      additionalProperties: false,
      required: ['name'],
      properties: { name: { type: 'string' }, ...named(60, setting, name) },
    });
    const blocks = (count: number) => ({
      properties: named(count, (at) => ({ type: 'array', items: block(`b${at}-`) })),
    });
    const schema = blocks(24);
    const prepared = await within(() => prepare(schema));
    if (prepared instanceof Error) throw prepared;
    const output = { p3: [{ name: 'x', 'b3-1': -1 }] };
    expect(await judgeOutput({ schema, output, coerce: false, name: 'schema' })).toMatchObject({
      outcome: 'fail',
      issues: [{ path: '/p3/0/b3-1' }],
    });
  });

  test('one name that needs 980 is ready in time', async () => {
    const schema = { dependentRequired: { a: listed(980, (at) => `n${at}`) } };
    expect(await within(() => prepare(schema))).toHaveProperty('searchAttributes');
  });

  test.each<[string, () => string]>([
    ['each just small enough', () => `(${'x'.repeat(900)}${another()}){20}$`],
    ['each too large for the engine with linear time', () => `(${'x'.repeat(900)}${another()}){60}$`],
  ])('patterns that are too large together, %s, are refused', async (_name, pattern) => {
    const schema = () => ({ properties: named(160, () => ({ pattern: pattern() })) });
    expect(await within(() => prepare(schema()))).toMatchObject({
      type: 'InvalidSpec',
      message: expect.stringMatching(/patterns of this schema are too large together/) as string,
    });
  });
});
