import { z } from 'zod';
import type { ReflectionSpec } from '../../../src/domain/spec/spec';
import type { ScriptEntry } from '../../../src/testing/scripted-model/script';
import { defineAction } from '../../../src/worker';
import { MODEL_KINDS } from '../../../testing/model-kinds/index';
import { startWorld } from '../../../testing/support/loop-world';

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
  test.each(KINDS)('$name', async (kind) => {
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
    const { model, asked, close } = await kind.start(script, {
      prices: { inputPerMillion: 10, outputPerMillion: 100 },
    });
    const world = await startWorld({ models: [model], actions: [lookUp] });
    try {
      const result = await world.client.run(spec);
      expect(result).toMatchObject({ success: true, iterationsUsed: 2, finalOutput: 'It is in Bremen.' });
      expect(result.tokenUsage).toMatchObject({ modelCalls: 5 });
      expect(result.tokenUsage.promptTokens).toBeGreaterThan(400);
      expect(result.tokenUsage.usd).toBeCloseTo(
        (result.tokenUsage.promptTokens * 10 + result.tokenUsage.completionTokens * 100) / 1_000_000,
      );
      expect(looked).toEqual([{ order: 'A-1' }]);
      const [draft, answer, judgement, correction, second, ...more] = asked();
      expect(more).toEqual([]);
      expect(draft).toMatchObject({ tools: ['look_up'] });
      expect(answer).toMatchObject({ tools: ['look_up'], answered: ['call_scripted_1'] });
      expect(answer!.messages.at(-1)!.text).toContain('It is in Bremen.');
      expect(judgement!.messages.at(-1)!.text).toContain('I do not know.');
      expect(judgement).toHaveProperty('schema.properties.code');
      expect(correction).toMatchObject({ temperature: 0.2, tools: [] });
      expect(correction!.messages.at(-1)!.text).toContain('I do not know.');
      expect(second!.messages.at(-1)!.text).toContain('It is in Bremen.');
    } finally {
      await world.close();
      await close();
    }
  });
});
