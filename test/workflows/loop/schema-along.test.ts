import type { JsonObject } from '../../../src/lib/json/json';
import type { PipelineNode } from '../../../src/kinds/pipeline/contract/pipeline';
import type { ReflectionSpec } from '../../../src/loop/contract/spec';
import type { ScriptEntry } from '../../../src/apps/testing/scripted-model/script';
import { ScriptedLoops } from './scripted-loops';

const schema: JsonObject = {
  type: 'object',
  properties: { name: { type: 'string' }, quantity: { type: 'integer' } },
  required: ['name', 'quantity'],
  additionalProperties: false,
};
const format = { type: 'json_schema', json_schema: { name: 'output', schema, strict: true } };
const good = '{"name": "ink", "quantity": 2}';
const bad = '{"name": "ink"}';
const generator = { action: 'llm.call' as const, prompt: 'Extract the order: two bottles of ink.' };

describe('the schema of a loop goes along', () => {
  let loops: ScriptedLoops;
  beforeAll(async () => {
    loops = await ScriptedLoops.start();
  });
  afterAll(() => loops?.close());

  const run = (more: Partial<ReflectionSpec>, replies: (string | ScriptEntry)[]) =>
    loops.run({ generator, evaluator: { type: 'schema', schema }, ...more }, replies);

  test('with the draft and a rewrite, and not where edits are asked for', async () => {
    const edits = '<<<<<<< SEARCH\nno such line\n=======\n2\n>>>>>>> REPLACE';
    const { result, bodies, prompts } = await run({ revision: { strategy: 'targeted_edit' } }, [bad, edits, good]);
    expect(result.finalOutput).toEqual({ name: 'ink', quantity: 2 });
    expect(prompts[1]).toContain('<<<<<<< SEARCH');
    expect(bodies.map((body) => body.response_format)).toEqual([format, undefined, format]);
  });

  test('in words where the endpoint has no structured output', async () => {
    const { bodies, prompts } = await run({ model: 'plain' }, [good]);
    expect(bodies[0]!.response_format).toBeUndefined();
    expect(prompts[0]).toBe(
      `${generator.prompt}\n\n` +
        'Reply with JSON that matches this JSON Schema, and with nothing else: no introduction, no code fence.\n' +
        JSON.stringify(schema),
    );
  });

  test('with a list in a wrapper, which no version has', async () => {
    const list = { type: 'array', items: schema, minItems: 1 };
    const { result, bodies } = await run({ evaluator: { type: 'schema', schema: list } }, [`{"value": [${good}]}`]);
    expect(bodies[0]!.response_format).toMatchObject({
      json_schema: { schema: { type: 'object', properties: { value: list } } },
    });
    expect(result.finalOutput).toEqual([{ name: 'ink', quantity: 2 }]);
    expect(result.history.versions![0]!.output).toEqual([{ name: 'ink', quantity: 2 }]);
  });

  test('to a corrector with a prompt of its own, and not with a hint', async () => {
    const corrector = { action: 'llm.call' as const, prompt: 'Repair {{ state.reflection_output | tojson }}' };
    const replaced = await run({ corrector }, [bad, good]);
    expect(replaced.bodies.map((body) => body.response_format)).toEqual([format, format]);
    const hinted = await run({ corrector: { ...corrector, mode: 'hint' } }, [bad, 'Count the bottles.', good]);
    expect(hinted.bodies.map((body) => body.response_format)).toEqual([format, undefined, format]);
  });

  test('is not sent if the step has a `reply` of its own', async () => {
    const off = await run({ generator: { ...generator, reply: false } }, [good]);
    expect(off.bodies[0]!.response_format).toBeUndefined();
    const wide = { type: 'object', properties: { name: { type: 'string' } } };
    const own = await run({ generator: { ...generator, reply: wide } }, [good]);
    expect(own.bodies[0]!.response_format).toEqual({
      type: 'json_schema',
      json_schema: { name: 'output', schema: wide, strict: false },
    });
  });

  test('in a pipeline, a node with a form of its own leaves a value in the state', async () => {
    const { world } = loops;
    const nodes: PipelineNode[] = [
      { name: 'read', uses: 'llm.call', with: { prompt: 'Extract.', reply: schema }, output: 'order' },
      { name: 'tell', uses: 'llm.call', with: { prompt: 'Sell {{ state.order.quantity }}.' }, output: 'told' },
    ];
    const { prompts, result } = await loops.collect([good, 'Sold.'], () => world.client.pipelines.run({ nodes }));
    expect(prompts[1]).toContain('Sell 2.');
    expect(result.state).toMatchObject({ order: { name: 'ink', quantity: 2 }, told: 'Sold.' });
  });

  test.each([
    [{ type: 'string' }, '/generator/reply'],
    [{ type: 'strin' }, '/generator/reply/type'],
    [{ $ref: '#/$defs/none' }, '/generator/reply/$ref'],
  ])('a form that no model can be sent is a mistake of the spec: %j', async (reply, path) => {
    await expect(run({ generator: { ...generator, reply } }, [])).rejects.toMatchObject({
      name: 'InvalidSpecError',
      problems: [expect.objectContaining({ path })],
    });
  });
});
