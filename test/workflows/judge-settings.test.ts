import type { ReflectionSpec } from '../../src/loop/contract/spec';
import { requestsOf } from '../../src/apps/testing/scripted-model/ledger';
import type { ScriptEntry } from '../../src/apps/testing/scripted-model/script';
import { ScriptedOpenAI } from '../../src/apps/testing/scripted-model/server';
import { type LoopWorld, startWorld } from '../../testing/support/loop-world';

const WRITER = 'Write about Ada';
const spec: ReflectionSpec = {
  generator: { action: 'llm.call', model: 'writer', prompt: WRITER },
  evaluator: { type: 'llm', model: 'judge' },
  revision: { strategy: 'full_rewrite' },
};
const scored = (score: number, more: object = {}) => ({ score, issues: [], confidence: 0.9, ...more });

describe('judges that are too strict or too lenient, on a real server', () => {
  let world: LoopWorld;
  let openai: ScriptedOpenAI;
  let script: ScriptEntry[] = [];

  beforeAll(async () => {
    openai = await ScriptedOpenAI.start({ script: () => script.shift() });
    const { baseUrl } = openai;
    const models = ['writer', 'judge', 'other'].map((name) => ({ name, model: name, baseUrl }));
    world = await startWorld({ models });
  });

  afterAll(async () => {
    await world.close();
    await openai.close();
  });

  async function run(more: Partial<ReflectionSpec>, replies: unknown[]) {
    script = replies.map((reply) => ({ reply }));
    const before = requestsOf(openai.ledger).length;
    const result = await world.client.run({ ...spec, ...more });
    const models = requestsOf(openai.ledger)
      .slice(before)
      .map(({ body }) => body!.model);
    expect(script).toEqual([]);
    return { result, models };
  }

  test('the threshold falls by a step while only the score fails, and the version says so', async () => {
    const { result } = await run({ judge: { relaxation: { step: 0.05, floor: 0.7 } } }, [
      'one',
      scored(0.72),
      'two',
      scored(0.74),
      'three',
      scored(0.76),
    ]);
    expect(result).toMatchObject({ success: true, convergenceReason: 'quality_met', iterationsUsed: 3 });
    expect(result.history.versions.map(({ qualityThreshold }) => qualityThreshold)).toEqual([undefined, 0.75, 0.7]);
    expect(result.history.versions[1]!.warnings).toEqual([
      expect.stringMatching(/threshold of 0\.75, lowered from 0\.8/),
    ]);
  });

  test('a loop with `endsWith: minor` ends, without success, once its judge states minor issues alone', async () => {
    const rejected = (severity: string) => ({ score: 0.6, valid: false, issues: [{ message: 'dull', severity }] });
    const { result } = await run({ maxIterations: 6, convergence: { endsWith: 'minor' } }, [
      'one',
      rejected('major'),
      'two',
      rejected('minor'),
    ]);
    expect(result).toMatchObject({ success: false, convergenceReason: 'plateau', settled: true, iterationsUsed: 2 });
  });

  test('never below the floor, and not after a serious issue', async () => {
    const major = { issues: [{ message: 'wrong', severity: 'major' }] };
    const { result } = await run(
      { judge: { relaxation: { step: 0.5, floor: 0.6 } }, convergence: false, maxIterations: 4 },
      ['one', scored(0.55, major), 'two', scored(0.56), 'three', scored(0.57), 'four', scored(0.58)],
    );
    expect(result).toMatchObject({ convergenceReason: 'max_iterations', flags: [] });
    const thresholds = result.history.versions.map(({ qualityThreshold }) => qualityThreshold);
    expect(thresholds).toEqual([undefined, undefined, 0.6, 0.6]);
  });

  test('a second judge must confirm a pass that is in doubt', async () => {
    const second = { type: 'llm', model: 'other' } as const;
    const { result, models } = await run({ judge: { second } }, [
      'one',
      scored(0.85),
      scored(0.3, { reason: 'no proof' }),
      'two',
      scored(0.95),
    ]);
    expect(models).toEqual(['writer', 'judge', 'other', 'writer', 'judge']);
    const [first, last] = result.history.versions;
    expect(first!.evaluation).toMatchObject({ outcome: 'fail', issues: [{ evaluator: 'second judge' }] });
    expect(last!.evaluation.evaluators).toHaveLength(1);
    expect(result).toMatchObject({ success: true, iterationsUsed: 2 });
  });

  test('a draft that passes at the ceiling is flagged, and confirmed where there is a second judge', async () => {
    const { result } = await run({}, ['one', scored(1)]);
    expect(result.flags).toEqual(['undercritical']);
    const confirmed = await run({ judge: { second: { type: 'regex', pattern: 'one' } } }, ['one', scored(1)]);
    expect(confirmed.result.finalEvaluation!.evaluators.map(({ name }) => name)).toEqual(['llm', 'second judge']);
    expect(confirmed.result.flags).toEqual([]);
  });

  test('a second judge that cannot judge is asked once more, and leaves the version unjudged', async () => {
    script = [];
    const second = { type: 'llm', model: 'other', name: 'expert' } as const;
    const { result } = await run({ judge: { second }, onFailure: 'return_last' }, [
      'one',
      scored(0.8),
      'no idea',
      'no idea',
      'no idea',
      'no idea',
    ]);
    expect(result).toMatchObject({ convergenceReason: 'blocked', finalEvaluation: { outcome: 'inconclusive' } });
    expect(result.tokenUsage.modelCalls).toBe(6);
  });

  test('mistakes are told at once, with their paths', async () => {
    const wrong = {
      ...spec,
      judge: {
        second: { type: 'comparison', against: 'prior' },
        relaxation: { step: 0.1, floor: 0.9 },
      },
      evaluator: { type: 'criteria', taskType: 'reasoning' },
    };
    await expect(world.client.run(wrong as ReflectionSpec)).rejects.toMatchObject({
      problems: expect.arrayContaining([
        expect.objectContaining({ path: '/judge/second' }),
        expect.objectContaining({ path: '/judge/relaxation/floor' }),
      ]),
    });
    const unknown = { ...spec, judge: { second: { type: 'llm', model: 'nobody' } } } as ReflectionSpec;
    await expect(world.client.run(unknown)).rejects.toMatchObject({ type: 'UnknownModel' });
  });
});
