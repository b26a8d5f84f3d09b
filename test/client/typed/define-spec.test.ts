import { z } from 'zod';
import {
  defineSpec,
  schemaEvaluator,
  type ReflectionClient,
  type ReflectionResult,
  type TypedSpec,
} from '../../../src';
import { outputSchemaOf } from '../../../src/client/typed/define-spec';
import { InvalidSpecError, UnexpectedOutputError } from '../../../src/loop/errors/errors';
import type { Json } from '../../../src/lib/json/json';
import { reflect, type TypedResult } from '../../../src/workflow';
import { defineAction } from '../../../src/worker';
import { type LoopWorld, startWorld } from '../../../testing/support/loop-world';

const person = z.object({
  name: z.string().min(1),
  email: z.email(),
  born: z.iso.date().transform((text) => new Date(text)),
  role: z.enum(['author', 'reader']).default('reader'),
});
const generator = { action: 'says' } as const;
const ada = { name: 'Ada', email: 'ada@example.org', born: '1815-12-10' };

function mistakesOf(define: () => unknown): unknown {
  try {
    define();
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidSpecError);
    return (error as InvalidSpecError).problems;
  }
  return [];
}

describe('a spec with a zod schema', () => {
  test('has the JSON Schema of what the schema takes, and nothing else goes over the wire', () => {
    const { evaluator } = defineSpec({ generator, evaluator: { type: 'schema', schema: person, weight: 2 } });
    const { schema, ...rest } = JSON.parse(JSON.stringify(evaluator)) as { schema: Record<string, never> };
    expect(rest).toEqual({ type: 'schema', weight: 2 });
    expect(schema).toMatchObject({
      type: 'object',
      required: ['name', 'email', 'born'],
      properties: { name: { type: 'string', minLength: 1 }, born: { type: 'string' }, role: { default: 'reader' } },
    });
    expect(schemaEvaluator(person, { weight: 2 })).toEqual(evaluator);
  });

  test('leaves a spec without one as it is', () => {
    const plain = { generator, evaluator: [{ type: 'schema' as const, schema: { type: 'object' } }] };
    expect(defineSpec(plain)).toEqual(plain);
  });

  test('may be short: its long form is what it returns', () => {
    const short = defineSpec({ task: 'Write.', evaluator: ['It is kind.', { schema: person, weight: 2 }] });
    expect(short).toMatchObject({
      generator: { action: 'llm.call' },
      evaluator: [{ type: 'criteria' }, { type: 'schema', weight: 2, schema: { type: 'object' } }],
    });
    const typed: TypedSpec<z.input<typeof person>, z.output<typeof person>> = short;
    expect(outputSchemaOf(typed)).toBe(person);
    const wrong = defineSpec({ task: 'Write.', evaluator: ['It is kind.', 'fluffy'] });
    expect(wrong.evaluator).toEqual(['It is kind.', 'fluffy']);
  });

  test('of a copy with another evaluator has the schema of that one, or none', () => {
    const typed = defineSpec({ generator, evaluator: schemaEvaluator(person) });
    const other = z.object({ other: z.string() });
    expect(outputSchemaOf(defineSpec({ ...typed, evaluator: typed.evaluator }))).toBe(person);
    expect(outputSchemaOf(defineSpec({ ...typed, evaluator: schemaEvaluator(other) }))).toBe(other);
    const untyped = defineSpec({ ...typed, evaluator: { type: 'regex', pattern: 'a' } });
    expect(outputSchemaOf(untyped)).toBeUndefined();
  });

  test.each<[what: string, schema: z.ZodType, path: string, message: RegExp]>([
    ['a date', z.object({ born: z.date() }), '/properties/born', /date cannot be represented/],
    ['a map in a list', z.object({ all: z.array(z.map(z.string(), z.string())) }), '/properties/all/items', /map/],
    ['a bigint', z.bigint(), '', /bigInt/],
    ['a refinement', z.object({ even: z.int().refine((n) => n % 2 === 0) }), '/properties/even', /refinement/],
    ['a type of its own', z.object({ own: z.custom<string>(() => true) }), '/properties/own', /custom types/],
  ])('refuses %s with its path', (_what, schema, path, message) => {
    const single = mistakesOf(() => defineSpec({ generator, evaluator: { type: 'schema', schema } }));
    const expected = { path: `/evaluator/schema${path}`, message: expect.stringMatching(message) };
    expect(single).toEqual(expect.arrayContaining([expected]));
    const listed = mistakesOf(() => defineSpec({ generator, evaluator: [{ type: 'schema', schema }] }));
    expect(listed).toEqual(expect.arrayContaining([{ ...expected, path: `/evaluator/0/schema${path}` }]));
  });
});

describe('on a server', () => {
  let world: LoopWorld;
  const says = defineAction({
    name: 'says',
    description: 'Says what the state has.',
    input: z.object({}),
    needs: ['say'],
    run: (_input, { state }) => state['say'] as Json,
  });
  beforeAll(async () => {
    world = await startWorld({ actions: [says] });
  });
  afterAll(() => world.close());

  const spec = defineSpec({
    generator,
    evaluator: [{ type: 'schema', schema: person }],
    state: { say: `Here: ${JSON.stringify(ada)}` },
    maxIterations: 1,
  });

  test('run, start and result give what the schema makes of the output', async () => {
    const { client } = world;
    const { finalOutput } = await client.run(spec);
    expect(finalOutput).toEqual({ ...ada, born: new Date('1815-12-10'), role: 'reader' });
    const started = await client.start({ ...spec, name: 'a copy' });
    expect((await started.result()).finalOutput?.born.getUTCFullYear()).toBe(1815);
    expect((await client.result(started)).finalOutput?.role).toBe('reader');
    const once = await client.runOnce(`once-${started.workflowId}`, spec);
    expect(once.finalOutput?.name).toBe('Ada');
    // By its id alone nobody knows the schema.
    expect((await client.result(started.workflowId)).finalOutput).toEqual(ada);
  });

  test('an output that the schema refuses is an error, after the loop failed as without it', async () => {
    const poor = { ...spec, state: { say: { name: 'Ada' } } };
    await expect(world.client.run(poor)).rejects.toThrow(UnexpectedOutputError);
  });
});

/** True for two types that are identical. */
// oxlint-disable typescript/no-unnecessary-type-parameters -- Types can be compared for identity in no other way.
type SameType<One, Other> = (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false;
// oxlint-enable typescript/no-unnecessary-type-parameters
const same = <One, Other>(answer: SameType<One, Other>): boolean => answer;

describe('the types of a typed spec', () => {
  type Parsed = z.output<typeof person>;
  type Wire = z.input<typeof person>;

  test('follow its schema through the client and the workflow', () => {
    const typed = defineSpec({ generator, evaluator: [{ type: 'schema', schema: person }, { type: 'llm' }] });
    const helped = defineSpec({ generator, evaluator: schemaEvaluator(person) });
    const plain = defineSpec({ generator, evaluator: { type: 'schema', schema: { type: 'object' } } });
    const calls = (client: ReflectionClient) => ({
      run: () => client.run(typed),
      helped: () => client.run(helped),
      once: () => client.runOnce('x', typed),
      started: () => client.start(typed).then((run) => run.result()),
      found: () => client.start(typed).then((run) => client.result(run)),
      plain: () => client.run(plain),
      plainly: () => client.start(plain).then((run) => run.result()),
      within: () => reflect(typed),
      without: () => reflect(plain),
      // @ts-expect-error -- An evaluator has a known type.
      wrong: () => defineSpec({ generator, evaluator: { type: 'nothing' } }),
    });
    type Calls = { [Name in keyof ReturnType<typeof calls>]: Awaited<ReturnType<ReturnType<typeof calls>[Name]>> };
    expect(same<typeof typed, TypedSpec<Wire, Parsed>>(true)).toBe(true);
    expect(same<Calls['run'], ReflectionResult<Parsed>>(true)).toBe(true);
    expect(same<Calls['helped'], ReflectionResult<Parsed>>(true)).toBe(true);
    expect(same<Calls['once'], ReflectionResult<Parsed>>(true)).toBe(true);
    expect(same<Calls['started'], ReflectionResult<Parsed>>(true)).toBe(true);
    expect(same<Calls['found'], ReflectionResult<Parsed>>(true)).toBe(true);
    expect(same<Calls['plain'], ReflectionResult>(true)).toBe(true);
    expect(same<Calls['plainly'], ReflectionResult>(true)).toBe(true);
    expect(same<Calls['within'], TypedResult<Wire>>(true)).toBe(true);
    expect(same<Calls['without'], ReflectionResult>(true)).toBe(true);
  });

  test('within a workflow tell the output of a success', () => {
    const outputOf = (result: TypedResult<Wire>): string | null =>
      result.success && result.finalOutput ? result.finalOutput.born : null;
    const failed = { success: false, finalOutput: ['any', 'JSON'] } as unknown as TypedResult<Wire>;
    expect(outputOf(failed)).toBeNull();
    expect(outputOf({ ...failed, success: true, finalOutput: ada } as TypedResult<Wire>)).toBe('1815-12-10');
  });
});
