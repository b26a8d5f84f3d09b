import { z } from 'zod';
import type { ReflectionSpec } from '../../src/loop/contract/spec';
import { requestsOf } from '../../src/apps/testing/scripted-model/ledger';
import type { Script, ScriptEntry } from '../../src/apps/testing/scripted-model/script';
import { ScriptedOpenAI, type ScriptedServerOptions } from '../../src/apps/testing/scripted-model/server';
import { defineAction } from '../../src/worker';
import { linesOf } from '../../testing/batch/squares';
import { type LoopWorld, startWorld } from '../../testing/support/loop-world';
import { plan } from '../../testing/support/plan-tasks';

const JUDGE = 'You judge';
/** 100 tokens of prompt and 50 of reply, whatever is said. */
const usage = { prompt: 100, completion: 50 };
const draft: ScriptEntry = { reply: 'a poem', usage };
const empty: ScriptEntry = { reply: ' ', usage };
const passed = { valid: true, score: 0.9, reason: 'good', issues: [], suggestions: [], confidence: 0.9 };

const looks = defineAction({
  name: 'looks',
  description: 'Looks something up.',
  input: z.object({}),
  run: () => Promise.resolve('nothing'),
});

const spec: ReflectionSpec = {
  generator: { action: 'llm.call', prompt: 'Write a poem.' },
  evaluator: { type: 'schema', schema: { const: 'a poem' } },
  maxIterations: 3,
};

describe('replies that were paid for and could not be used', () => {
  let world: LoopWorld;
  let model: ScriptedOpenAI;
  beforeAll(async () => {
    world = await startWorld({ actions: [looks] });
  });
  afterAll(() => world.close());
  afterEach(() => model.close());

  async function run(script: Script, more: Partial<ReflectionSpec> = {}, habits?: ScriptedServerOptions['habits']) {
    model = await ScriptedOpenAI.start({ script, ...(habits && { habits }) });
    process.env['OPENAI_BASE_URL'] = model.baseUrl;
    return world.client.run({ ...spec, ...more });
  }
  const sent = () => requestsOf(model.ledger).length;

  test('an empty reply is counted with the one that followed it', async () => {
    const result = await run([empty, draft]);
    expect(result).toMatchObject({ success: true, tokenUsage: { modelCalls: 2, totalTokens: 300 } });
    expect(result.history.versions[0]!.tokenUsage).toMatchObject({ modelCalls: 2, totalTokens: 300 });
    expect(sent()).toBe(2);
  });

  test('a second empty reply is final, and the failure says what both cost', async () => {
    const failing = run([{ ...empty, times: 'always' } as ScriptEntry], {}, { thinks: { text: 'Hm.', in: 'tags' } });
    await expect(failing).rejects.toMatchObject({
      type: 'Model.Empty',
      message: expect.stringMatching(/only reasoning.*asked 2 times/) as unknown,
      details: [
        { step: 'generator', iteration: 1 },
        { tokenUsage: expect.objectContaining({ modelCalls: 2, totalTokens: 300 }) as unknown },
      ],
    });
    expect(sent()).toBe(2);
  });

  test('a failed run says what all its calls cost, and counts in the budget of a batch', async () => {
    const looking: ReflectionSpec = { ...spec, generator: { action: 'llm.call', prompt: 'Look.', tools: ['looks'] } };
    const script: Script = ({ body }) =>
      body.messages.some(({ role }) => role === 'tool')
        ? empty
        : { toolCalls: [{ name: 'looks', arguments: {} }], usage };
    const paid = expect.objectContaining({ modelCalls: 3, totalTokens: 450 }) as unknown;
    await expect(run(script, looking)).rejects.toMatchObject({
      type: 'Model.Empty',
      details: [{ step: 'generator', iteration: 1, tokenUsage: paid }, expect.anything()],
    });
    const { batches: batch } = world.client;
    const items = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => ({ id }));
    const { workflowId } = await batch.start(items, looking, { concurrency: 1, budget: { tokens: 450 } });
    const result = await batch.result(workflowId);
    expect(result).toMatchObject({ budgetSpent: true, tokenUsage: { totalTokens: 450 * result.failed } });
    // One more may have begun before the page heard that the budget is spent.
    expect(result.failed).toBeLessThan(6);
    expect((await linesOf(world.client, workflowId))[0]).toMatchObject({ status: 'failed', tokenUsage: paid });
    const look = { id: 'look', description: 'Look.', dependsOn: [], step: { loop: looking } };
    const planned = await world.client.plans.run({ goal: 'Look.', plan: plan(look), enableReflection: false });
    expect(planned).toMatchObject({ success: false, tokenUsage: paid });
  });

  test('a judge that says nothing is inconclusive, and its replies count', async () => {
    const silent = { ...empty, match: JUDGE, times: 'always' } as ScriptEntry;
    const result = await run([silent, draft], { evaluator: { type: 'llm' } });
    // The judge is asked once more for a version that it could not judge.
    expect(result).toMatchObject({ convergenceReason: 'blocked', tokenUsage: { modelCalls: 5, totalTokens: 750 } });
    expect(sent()).toBe(5);
  });

  test('a judge is asked no more once the budget is spent by its empty replies', async () => {
    const silent = { ...empty, match: JUDGE, times: 'always' } as ScriptEntry;
    const result = await run([silent, draft], { evaluator: { type: 'llm' }, budget: { tokens: 450 } });
    expect(result).toMatchObject({
      convergenceReason: 'token_budget',
      tokenUsage: { modelCalls: 3, totalTokens: 450 },
    });
    expect(sent()).toBe(3);
  });

  test('a revision that was refused was paid for', async () => {
    const result = await run([draft, { refusal: 'No.' }], { evaluator: { type: 'schema', schema: { const: 'x' } } });
    expect(result).toMatchObject({ convergenceReason: 'error', tokenUsage: { modelCalls: 2 } });
    expect(result.tokenUsage.totalTokens).toBeGreaterThan(150);
  });

  test('a judge without structured output is asked in words, and its verdict counts', async () => {
    const code = /nowhere else, is: (\w+)/;
    const script: Script = ({ text, last }) =>
      text.includes(JUDGE)
        ? { reply: `My judgement:\n${JSON.stringify({ code: code.exec(last)![1], ...passed })}`, usage }
        : draft;
    const result = await run(script, { evaluator: { type: 'llm' } }, { refuses: { response_format: 500 } });
    expect(result).toMatchObject({ success: true, convergenceReason: 'quality_met', tokenUsage: { modelCalls: 2 } });
    expect(result.history.versions[0]!.warnings).toEqual([expect.stringContaining('no response_format')]);
    expect(sent()).toBe(3);
  });
});
