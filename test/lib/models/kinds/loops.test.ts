import { z } from 'zod';
import type { ReflectionSpec } from '../../../../src/loop/contract/spec';
import type { ScriptEntry } from '../../../../src/apps/testing/scripted-model/script';
import { defineAction } from '../../../../src/worker';
import { MODEL_KINDS } from '../../../../testing/model-kinds';
import type { StartedKind } from '../../../../testing/model-kinds/model-kind';
import { type LoopWorld, startWorld } from '../../../../testing/support/loop-world';

const spec: ReflectionSpec = {
  task: 'Answer the customer: {{ state.message }}',
  state: { message: 'Where is my order A-1?' },
  generator: { action: 'llm.call', prompt: '{{ task }}', tools: ['look_up'] },
  evaluator: { type: 'llm', prompt: 'Does the reply say where the order is?' },
  corrector: { action: 'llm.call', prompt: 'Make it right: {{ state.reflection_output }}', temperature: 0.2 },
  budget: { usd: 1 },
};

const usage = { prompt: 100, completion: 10 };
const script: ScriptEntry[] = [
  { toolCalls: [{ name: 'look_up', arguments: { order: 'A-1' } }], usage: undefined } as ScriptEntry,
  { reply: 'I do not know.', usage },
  { reply: { valid: false, score: 0.2, reason: 'no place', issues: ['it names no place'] }, usage },
  { reply: 'It is in Bremen.', usage },
  { reply: { valid: true, score: 0.9, reason: 'a place', issues: [] }, usage },
];

/** Loops with endpoints have tests of their own. */
const KINDS = MODEL_KINDS.filter(({ name }) => !name.startsWith('an endpoint'));

describe('generator, tools, judge and corrector, on a real server', () => {
  const looked: unknown[] = [];
  const lookUp = defineAction({
    name: 'look_up',
    description: 'Where an order is.',
    input: z.object({ order: z.string() }),
    run: (input) => {
      looked.push(input);
      return 'It is in Bremen.';
    },
  });
  const started = new Map<string, StartedKind>();
  let world: LoopWorld;

  beforeAll(async () => {
    const prices = { inputPerMillion: 10, outputPerMillion: 100 };
    for (const kind of KINDS) started.set(kind.name, await kind.start(script, { name: kind.name, prices }));
    world = await startWorld({ models: [...started.values()].map(({ model }) => model), actions: [lookUp] });
  });
  afterAll(async () => {
    await world.close();
    for (const { close } of started.values()) await close();
  });

  test.each(KINDS)('$name', async ({ name }) => {
    looked.splice(0);
    const result = await world.client.run({ ...spec, model: name });
    expect(result).toMatchObject({ success: true, iterationsUsed: 2, finalOutput: 'It is in Bremen.' });
    const { promptTokens, completionTokens, modelCalls, usd } = result.tokenUsage;
    expect(modelCalls).toBe(5);
    expect(promptTokens).toBeGreaterThan(400);
    expect(usd).toBeCloseTo((promptTokens * 10 + completionTokens * 100) / 1_000_000);
    expect(looked).toEqual([{ order: 'A-1' }]);
    const [draft, answer, judgement, correction, second, ...more] = started.get(name)!.asked();
    expect(more).toEqual([]);
    expect(draft).toMatchObject({ tools: ['look_up'] });
    expect(answer).toMatchObject({ tools: ['look_up'], answered: ['call_scripted_1'] });
    expect(answer!.messages.at(-1)!.text).toContain('It is in Bremen.');
    expect(judgement!.messages.at(-1)!.text).toContain('I do not know.');
    expect(judgement).toHaveProperty('schema.properties.code');
    expect(correction).toMatchObject({ temperature: 0.2, tools: [] });
    expect(correction!.messages.at(-1)!.text).toContain('I do not know.');
    expect(second!.messages.at(-1)!.text).toContain('It is in Bremen.');
  });
});
