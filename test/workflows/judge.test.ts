import type { ReflectionSpec } from '../../src/loop/contract/spec';
import { paidCalls, requestsOf } from '../../src/apps/testing/scripted-model/ledger';
import type { ScriptEntry } from '../../src/apps/testing/scripted-model/script';
import { ScriptedOpenAI } from '../../src/apps/testing/scripted-model/server';
import { type LoopWorld, startWorld } from '../../testing/support/loop-world';

const WRITER = 'You write';
const JUDGE = 'You judge';

const spec: ReflectionSpec = {
  name: 'haiku',
  task: 'A haiku about {{ state.subject }}',
  state: { subject: 'rain' },
  generator: { action: 'llm.call', system: `${WRITER} poems.`, prompt: '{{ task }}' },
  evaluator: { type: 'llm', prompt: `${JUDGE} poems. Is this good?\n{{ state.reflection_output }}` },
};

/** The prompt that marks a judge's request, however it is wrapped. */
const judgement = (reply: unknown, more: Partial<ScriptEntry> = {}): ScriptEntry =>
  ({ match: JUDGE, reply, ...more }) as ScriptEntry;
const draft = (reply: unknown, more: Partial<ScriptEntry> = {}): ScriptEntry =>
  ({ match: WRITER, reply, ...more }) as ScriptEntry;

const good = { valid: true, score: 0.9, reason: 'vivid', issues: [], suggestions: [], confidence: 0.8 };
const poor = {
  valid: false,
  score: 0.4,
  reason: 'flat',
  issues: [
    {
      message: 'the second line has eight syllables',
      path: null,
      criterion: null,
      severity: 'major',
      suggestion: 'drop a word',
    },
  ],
  suggestions: ['count again'],
  confidence: 0.9,
};

describe('loops with models', () => {
  let world: LoopWorld;
  let model: ScriptedOpenAI;

  async function withScript(script: ScriptEntry[]): Promise<void> {
    model = await ScriptedOpenAI.start({ script });
    process.env['OPENAI_BASE_URL'] = model.baseUrl;
    world = await startWorld();
  }
  afterEach(async () => {
    await world.close();
    delete process.env['OPENAI_BASE_URL'];
    await model.close();
  });

  const askedOf = (index: number): string => {
    const request = requestsOf(model.ledger)[index];
    return request!.body!.messages.map((message) => message.content).join('\n');
  };

  test('a judge fails the draft, the built-in revision addresses it, the judge passes it', async () => {
    await withScript([draft('first poem'), judgement(poor), draft('second poem'), judgement(good)]);
    const result = await world.client.run(spec);
    expect(result).toMatchObject({
      success: true,
      iterationsUsed: 2,
      finalOutput: 'second poem',
      finalEvaluation: { outcome: 'pass', overallScore: 0.9, confidence: 0.8 },
    });
    const revision = askedOf(2);
    expect(revision).toContain('first poem');
    expect(revision).toContain('the second line has eight syllables');
    expect(revision).toContain('drop a word');
    expect(revision).toContain('A haiku about rain');
    expect(result.history.versions[1]).toMatchObject({
      origin: 'revision',
      improvementsApplied: ['the second line has eight syllables'],
    });
    expect(paidCalls(model.ledger)).toHaveLength(4);
    model.assertDone();
  });

  test('tokens and calls are those that the provider counted', async () => {
    const usage = { prompt: 100, completion: 10 };
    await withScript([draft('poem', { usage } as never), judgement(good, { usage } as never)]);
    const result = await world.client.run(spec);
    expect(result.tokenUsage).toEqual({
      promptTokens: 200,
      completionTokens: 20,
      totalTokens: 220,
      modelCalls: 2,
      usd: null,
    });
    const [version] = result.history.versions;
    expect(version).toMatchObject({
      tokenUsage: { totalTokens: 220, modelCalls: 2 },
      evaluationUsage: { totalTokens: 110, modelCalls: 1 },
    });
  });

  test('the judge can be another model', async () => {
    await withScript([draft('poem'), judgement(good)]);
    await world.client.run({ ...spec, model: 'writer-model', reflectionModel: 'judge-model' });
    expect(requestsOf(model.ledger).map((entry) => entry.body!.model)).toEqual(['writer-model', 'judge-model']);
  });

  test('a custom reflection prompt is rendered over the state', async () => {
    await withScript([draft('poem'), { match: 'Weigh this poem about rain', reply: good }]);
    const result = await world.client.run({
      ...spec,
      evaluator: { type: 'llm' },
      reflectionPrompt: 'Weigh this poem about {{ state.subject }}: {{ state.reflection_output }}',
    });
    expect(result.success).toBe(true);
    model.assertDone();
  });

  test('structured output is asked for by a schema; without it a free text is read', async () => {
    await withScript([draft('poem'), judgement(good), draft('poem'), judgement('Score: 0.9\nVerdict: pass')]);
    await world.client.run(spec);
    const [, judged] = requestsOf(model.ledger);
    expect(judged!.body!.response_format).toMatchObject({ type: 'json_schema' });
    const free = await world.client.run({ ...spec, structuredReflection: false });
    expect(requestsOf(model.ledger)[3]!.body!.response_format).toBeUndefined();
    expect(free.finalEvaluation).toMatchObject({ outcome: 'pass', overallScore: 0.9 });
  });

  test('an unreadable judgement gets one repair call, an activity of its own', async () => {
    await withScript([draft('poem'), judgement('What a lovely day!'), { match: 'lovely day', reply: good }]);
    const { workflowId } = await world.client.start(spec);
    const result = await world.client.result(workflowId);
    expect(result).toMatchObject({ success: true, tokenUsage: { modelCalls: 3 } });
    const { events } = await world.client.temporal.workflow.getHandle(workflowId).fetchHistory();
    const types = events!.flatMap((event) => event.activityTaskScheduledEventAttributes?.activityType?.name ?? []);
    expect(types).toEqual(['reflection.generate', 'reflection.evaluate', 'reflection.repair']);
  });

  test('a judge that stays unreadable is asked once more, then the loop is blocked, and nothing passed silently', async () => {
    const nonsense = 'What a lovely day!';
    await withScript([draft('poem'), { match: 'lovely|judge', reply: nonsense, times: 4 }]);
    const result = await world.client.run(spec);
    expect(result).toMatchObject({
      success: false,
      convergenceReason: 'blocked',
      iterationsUsed: 1,
      finalOutput: 'poem',
      finalEvaluation: { outcome: 'inconclusive', overallScore: null, satisfactory: false },
    });
    expect(paidCalls(model.ledger)).toHaveLength(5);
  });

  test('a judge that is refused for good is inconclusive, never 0', async () => {
    await withScript([draft('poem'), { match: JUDGE, status: 401, times: 2 }]);
    const result = await world.client.run(spec);
    expect(result).toMatchObject({ convergenceReason: 'blocked', finalEvaluation: { overallScore: null } });
    expect(result.finalEvaluation!.reason).toMatch(/could not judge/);
  });

  test('the threshold decides a judgement that only carries a score', async () => {
    const score = { valid: null, score: 0.7, reason: 'fine', issues: [], suggestions: [], confidence: 1 };
    await withScript([draft('poem'), judgement(score), draft('poem'), judgement(score)]);
    const lenient = await world.client.run({ ...spec, qualityThreshold: 0.7, maxIterations: 1 });
    expect(lenient.success).toBe(true);
    const strict = await world.client.run({ ...spec, qualityThreshold: 0.71, maxIterations: 1 });
    expect(strict.success).toBe(false);
  });

  test('an explicit verdict is stronger than the threshold', async () => {
    await withScript([draft('poem'), judgement({ ...good, score: 0.6 })]);
    expect(await world.client.run({ ...spec, maxIterations: 1 })).toMatchObject({ success: true });
  });

  test('a reply that was cut off: a draft with a warning, a judgement that is inconclusive', async () => {
    await withScript([
      draft('half a po', { finishReason: 'length' } as never),
      judgement('{"valid": tr', { finishReason: 'length', times: 2 } as never),
    ]);
    const result = await world.client.run({ ...spec, maxIterations: 1 });
    expect(result.history.versions[0]).toMatchObject({
      output: 'half a po',
      warnings: [expect.stringMatching(/cut off/)],
      evaluation: { outcome: 'inconclusive' },
    });
  });

  test('a provider that asks for 2 s is not called earlier, and the run succeeds', async () => {
    const limited: ScriptEntry = { match: WRITER, status: 429, headers: { 'retry-after': '2' } };
    await withScript([limited, draft('poem'), judgement(good)]);
    expect(await world.client.run(spec)).toMatchObject({ success: true });
    const [first, second] = requestsOf(model.ledger);
    expect(second!.at - first!.at).toBeGreaterThanOrEqual(2_000);
  });

  test('a failure in passing is tried again; what was answered is not asked again', async () => {
    await withScript([draft('poem'), { match: JUDGE, fault: 'reset' }, judgement(good)]);
    expect(await world.client.run(spec)).toMatchObject({ success: true, tokenUsage: { modelCalls: 2 } });
    expect(requestsOf(model.ledger)).toHaveLength(3);
  });

  test('a draft that is refused fails the run with the reason', async () => {
    await withScript([{ match: WRITER, refusal: 'I would rather not.' }]);
    await expect(world.client.run(spec)).rejects.toMatchObject({
      type: 'Model.Refused',
      message: expect.stringMatching(/generator failed in iteration 1.*rather not/s),
    });
  });

  test('a script that runs out is loud: the run fails, and so does the server', async () => {
    await withScript([]);
    await expect(world.client.run(spec)).rejects.toMatchObject({ type: 'Model.BadRequest' });
    await expect(model.close()).rejects.toThrow(/script ran out/);
    model = await ScriptedOpenAI.start({ script: [] });
  });
});
