import type { ReflectionSpec } from '../../src/loop/contract/spec';
import { requestsOf } from '../../src/apps/testing/scripted-model/ledger';
import type { Script, ScriptEntry } from '../../src/apps/testing/scripted-model/script';
import { ScriptedOpenAI } from '../../src/apps/testing/scripted-model/server';
import { eventually } from '../../testing/support/eventually';
import { type LoopWorld, startWorld } from '../../testing/support/loop-world';

const JUDGE = 'You judge';
const poor = { valid: false, score: 0.4, reason: 'flat', issues: [], suggestions: [], confidence: 0.9 };
/** 100 tokens of prompt and 50 of reply, whatever is said. */
const usage = { prompt: 100, completion: 50 };
const drafts: ScriptEntry = { reply: 'a poem', usage, times: 'always' };
const judged: ScriptEntry = { match: JUDGE, reply: poor, usage, times: 'always' };

const spec: ReflectionSpec = {
  generator: { action: 'llm.call', prompt: 'Write a poem.' },
  evaluator: { type: 'llm' },
  maxIterations: 10,
  convergence: false,
  model: 'priced',
};
const checked: ReflectionSpec = { ...spec, evaluator: { type: 'schema', schema: { const: 'never' } } };

describe('budgets of a run', () => {
  let world: LoopWorld;
  let model: ScriptedOpenAI;

  beforeAll(async () => {
    world = await startWorld({ prices: { priced: { inputPerMillion: 1_000, outputPerMillion: 10_000 } } });
  });
  afterAll(() => world.close());
  afterEach(() => model.close());

  async function run(script: Script, budget: ReflectionSpec['budget'], more: Partial<ReflectionSpec> = {}) {
    model = await ScriptedOpenAI.start({ script });
    process.env['OPENAI_BASE_URL'] = model.baseUrl;
    return world.client.run({ ...spec, budget, ...more });
  }
  const sent = () => requestsOf(model.ledger).map(({ body }) => body!);
  const limits = () => sent().map((body) => body.max_completion_tokens);

  test('call_budget: exactly so many calls, and the best so far', async () => {
    const result = await run([judged, drafts], { modelCalls: 4 });
    expect(result).toMatchObject({
      success: false,
      exhausted: true,
      convergenceReason: 'call_budget',
      iterationsUsed: 2,
      finalOutput: 'a poem',
      tokenUsage: { modelCalls: 4, totalTokens: 600 },
    });
    expect(sent()).toHaveLength(4);
    // The default of models that have none of their own.
    expect(limits()).toEqual([16_384, 16_384, 16_384, 16_384]);
  });

  test('a version that nobody could be asked about is kept, with the reason', async () => {
    const result = await run([judged, drafts], { modelCalls: 1 });
    expect(result).toMatchObject({ convergenceReason: 'call_budget', iterationsUsed: 1, finalOutput: 'a poem' });
    expect(result.finalEvaluation).toMatchObject({
      outcome: 'inconclusive',
      overallScore: null,
      reason: 'llm could not judge: the budget of model calls is spent',
    });
    expect(sent()).toHaveLength(1);
  });

  test('a budget that is spent before a draft: no output, no call', async () => {
    for (const budget of [{ modelCalls: 0 }, { tokens: 0 }, { usd: 0 }]) {
      const result = await run([], budget);
      expect(result).toMatchObject({
        success: false,
        exhausted: true,
        finalOutput: null,
        bestOutput: null,
        finalEvaluation: null,
        iterationsUsed: 0,
        history: { versions: [], bestIteration: null, finalIteration: null },
      });
      expect(result.convergenceReason).toMatch(/^(call|token|cost)_budget$/);
      expect(sent()).toEqual([]);
      await model.close();
    }
    model = await ScriptedOpenAI.start({ script: [] });
  });

  test('a repair call is a call', async () => {
    const unreadable: ScriptEntry = { match: JUDGE, reply: 'I like it', usage };
    const result = await run([unreadable, drafts], { modelCalls: 2 });
    expect(result).toMatchObject({ convergenceReason: 'call_budget', iterationsUsed: 1 });
    expect(result.finalEvaluation!.reason).toMatch(/cannot be read/);
    expect(sent()).toHaveLength(2);
  });

  test('judges are asked one by one: what the first uses, the second cannot', async () => {
    const evaluator: ReflectionSpec['evaluator'] = [
      { type: 'llm', name: 'first' },
      { type: 'llm', name: 'second' },
    ];
    const result = await run([judged, drafts], { modelCalls: 2 }, { evaluator });
    expect(sent()).toHaveLength(2);
    expect(result.finalEvaluation!.evaluators.map(({ name, outcome }) => [name, outcome])).toEqual([
      ['first', 'fail'],
      ['second', 'inconclusive'],
    ]);
  });

  test('token_budget: each call may write what is left, judges too', async () => {
    const result = await run([judged, drafts], { tokens: 400 });
    expect(result).toMatchObject({ convergenceReason: 'token_budget', tokenUsage: { totalTokens: 450 } });
    expect(limits()).toEqual([400, 250, 100]);
    expect(result.history.versions[1]!.evaluation).toMatchObject({
      outcome: 'inconclusive',
      reason: expect.stringContaining('the token budget is spent'),
    });
  });

  test('the smaller limit counts, the step’s own or what is left', async () => {
    const generator = { ...spec.generator, maxTokens: 120 };
    await run([drafts], { tokens: 380 }, { ...checked, generator });
    expect(limits()).toEqual([120, 120, 80]);
  });

  test('cost_budget: money becomes output tokens by the price', async () => {
    // A call costs 100 × 0.001 + 50 × 0.01 = $0.60.
    const result = await run([drafts], { usd: 1.5 }, checked);
    expect(result).toMatchObject({ convergenceReason: 'cost_budget', iterationsUsed: 3 });
    expect(result.tokenUsage.usd).toBeCloseTo(1.8);
    expect(limits()).toEqual([150, 90, 30]);
  });

  test('a budget in money holds by estimates where tokens are not counted', async () => {
    const result = await run([{ ...drafts, usage: false } as ScriptEntry], { usd: 0.5 }, checked);
    expect(result).toMatchObject({ convergenceReason: 'cost_budget', tokenUsage: { estimated: true } });
    expect(result.iterationsUsed).toBeGreaterThan(1);
    expect(result.iterationsUsed).toBeLessThan(10);
    expect(result.tokenUsage.usd).toBeGreaterThanOrEqual(0.5);
    expect(result.history.versions[0]!.warnings).toContainEqual(expect.stringContaining('estimated'));
  });

  test('a budget in money needs a price for every model, before anything is paid for', async () => {
    const failing = run([], { usd: 1 }, { reflectionModel: 'free', model: 'priced' });
    await expect(failing).rejects.toMatchObject({
      problems: [{ path: '/budget/usd', message: expect.stringMatching(/no price known for model "free"/) }],
    });
    expect(sent()).toEqual([]);
  });

  test('what is free is still done: a schema judges the draft that took the last token', async () => {
    const evaluator: ReflectionSpec['evaluator'] = { type: 'schema', schema: { const: 'a poem' } };
    const result = await run([drafts], { tokens: 10 }, { evaluator });
    expect(result).toMatchObject({ success: true, convergenceReason: 'quality_met' });
  });

  test('the last iteration wins over a budget that is spent at the same time', async () => {
    const result = await run([judged, drafts], { modelCalls: 2 }, { maxIterations: 1 });
    expect(result.convergenceReason).toBe('max_iterations');
  });

  test('a spent budget raises where that was asked for', async () => {
    const failing = run([judged, drafts], { modelCalls: 2 }, { onFailure: 'raise' });
    await expect(failing).rejects.toMatchObject({
      type: 'ReflectionFailedError',
      message: expect.stringMatching(/call_budget after 1 version/),
    });
  });

  test('time_budget: a call in flight ends with the time, and its connection too', async () => {
    const started = Date.now();
    const result = await run([{ fault: 'hang' }], { wallClock: '1.5s' });
    expect(result).toMatchObject({ convergenceReason: 'time_budget', finalOutput: null, iterationsUsed: 0 });
    const took = Date.now() - started;
    expect(took).toBeGreaterThanOrEqual(1_500);
    expect(took).toBeLessThan(4_000);
    await eventually(
      () => model.ledger.filter((entry) => entry.kind === 'closed').length,
      (count) => count === 1,
      3_000,
    );
  });

  test('time_budget: a wait that would outlast the time is not begun', async () => {
    const started = Date.now();
    const limited: ScriptEntry = { match: 'was not accepted', status: 429, headers: { 'retry-after': '60' } };
    const result = await run([limited, drafts], { wallClock: '30s' }, checked);
    expect(result).toMatchObject({ convergenceReason: 'time_budget', iterationsUsed: 1, finalOutput: 'a poem' });
    expect(Date.now() - started).toBeLessThan(10_000);
    expect(sent()).toHaveLength(2);
  });

  test('time_budget: a judge that is cut short could not judge', async () => {
    const result = await run([{ match: JUDGE, fault: 'hang' }, drafts], { wallClock: 1_500 });
    expect(result).toMatchObject({ convergenceReason: 'time_budget', iterationsUsed: 1, finalOutput: 'a poem' });
    expect(result.finalEvaluation).toMatchObject({
      outcome: 'inconclusive',
      reason: expect.stringContaining('the time budget is spent'),
    });
    expect(sent()).toHaveLength(2);
  });

  test('budgets hold across continue-as-new', async () => {
    const result = await run([drafts], { modelCalls: 55 }, { ...checked, maxIterations: 100, convergence: false });
    expect(result).toMatchObject({ convergenceReason: 'call_budget', iterationsUsed: 55 });
    expect(result.tokenUsage).toMatchObject({ modelCalls: 55, totalTokens: 55 * 150 });
    expect(sent()).toHaveLength(55);
  }, 60_000);

  test('neither a budget nor its absence costs a timer, and without one activities wait as long as it takes', async () => {
    for (const [budget, seconds] of [
      [undefined, 0],
      [{ wallClock: '1h', tokens: 1e6 }, 3_599],
    ] as const) {
      model = await ScriptedOpenAI.start({ script: [drafts] });
      process.env['OPENAI_BASE_URL'] = model.baseUrl;
      const { workflowId } = await world.client.start({ ...checked, maxIterations: 1, ...(budget ? { budget } : {}) });
      await world.client.result(workflowId);
      const { events } = await world.client.temporal.workflow.getHandle(workflowId).fetchHistory();
      expect(events!.filter((event) => event.timerStartedEventAttributes)).toEqual([]);
      const scheduled = events!.flatMap((event) => event.activityTaskScheduledEventAttributes ?? []);
      expect(Number(scheduled[0]!.scheduleToCloseTimeout?.seconds)).toBe(seconds);
      await model.close();
    }
    model = await ScriptedOpenAI.start({ script: [] });
  });
});
