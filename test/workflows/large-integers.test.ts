import { z } from 'zod';
import type { ReflectionSpec } from '../../src/loop/contract/spec';
import type { ScriptedRequest, ScriptEntry } from '../../src/apps/testing/scripted-model/script';
import { ScriptedOpenAI } from '../../src/apps/testing/scripted-model/server';
import { defineAction } from '../../src/worker';
import { type LoopWorld, startWorld } from '../../testing/support/loop-world';

const ID = '2512292042121000001';

// Read as a number, the id ends in 000, which is another row.
describe('whole numbers that JavaScript does not keep', () => {
  let world: LoopWorld;
  let openai: ScriptedOpenAI;
  let script: ScriptEntry[] = [];
  let prompts: string[] = [];
  const seen: unknown[] = [];
  const look = defineAction({
    name: 'look',
    description: 'Looks up a row.',
    input: z.object({ id: z.union([z.number(), z.string()]) }),
    run: ({ id }) => {
      seen.push(id);
      return 'found';
    },
  });
  beforeAll(async () => {
    const answer = ({ last }: ScriptedRequest): ScriptEntry | undefined => {
      prompts.push(last);
      return script.shift();
    };
    openai = await ScriptedOpenAI.start({ script: answer });
    world = await startWorld({ actions: [look], models: [{ name: 'any', model: 'any', baseUrl: openai.baseUrl }] });
  });
  afterAll(async () => {
    await world?.close();
    await openai?.close();
  });
  beforeEach(() => {
    prompts = [];
    seen.length = 0;
  });

  const schema = { type: 'object', required: ['id'], properties: { id: { type: ['integer', 'string'] } } };
  const loop: ReflectionSpec = {
    task: 'Copy the id.',
    generator: { action: 'llm.call', prompt: '{{ task }}' },
    evaluator: { type: 'schema', schema },
    maxIterations: 2,
  };

  test('in an output: an issue with the place asks for a text, and no digit is lost meanwhile', async () => {
    script = [{ reply: `{"id": ${ID}}` }, { reply: `{"id": "${ID}"}` }];
    const { success, finalOutput, history } = await world.client.run(loop);
    expect(history.versions[0]).toMatchObject({
      output: `{"id": ${ID}}`,
      evaluation: {
        issues: [{ path: '/id', type: 'large_integer', suggestion: expect.stringContaining('text') as string }],
      },
    });
    expect(prompts[1]).toContain(`${ID} is a whole number that JSON readers do not keep exactly`);
    expect([success, finalOutput]).toEqual([true, { id: ID }]);
  });

  test('in the reply of a step that asks for JSON: it stays the text that it is, with a warning', async () => {
    script = [{ reply: `{"id": ${ID}}` }];
    const nodes = [{ name: 'copy', uses: 'llm.call', output: 'copy', with: { prompt: 'Copy.', reply: schema } }];
    const { state, nodes: reports } = await world.client.pipelines.run({ nodes });
    expect(state['copy']).toBe(`{"id": ${ID}}`);
    expect(JSON.stringify(reports)).toContain('would lose digits as a number');
  });

  test.each<[string, ScriptEntry]>([
    ['asked for', { toolCalls: [{ name: 'look', arguments: `{"id": ${ID}}` }] }],
    ['written into the text', { reply: `<tool_call>{"name": "look", "arguments": {"id": ${ID}}}</tool_call>` }],
  ])(
    'in the arguments of a tool call that was %s: the model is told, and the tool is not called',
    async (_how, call) => {
      script = [call, { toolCalls: [{ name: 'look', arguments: `{"id": "${ID}"}` }] }, { reply: 'done' }];
      const generator = { ...loop.generator, action: 'llm.call' as const, tools: ['look'] };
      await world.client.run({ ...loop, generator, evaluator: { type: 'regex', pattern: 'done' } });
      expect(prompts[1]).toContain(`/id cannot be had exactly: ${ID}`);
      expect(seen).toEqual([ID]);
    },
  );

  test('in the steps that a planner made up: the planner is told', async () => {
    const plan = (id: string) => ({
      reply: `{"tasks": [{"id": "a", "description": "Look.", "step": {"action": "look", "with": {"id": ${id}}}}]}`,
    });
    script = [plan(ID), plan(`"${ID}"`)];
    await world.client.plans.run({ goal: 'Look.', enableLlmReflection: false });
    expect(prompts[1]).toContain('/tasks/0/step/with/id');
    expect(seen).toEqual([ID]);
  });
});
