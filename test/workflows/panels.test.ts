import type { ReflectionSpec } from '../../src/loop/contract/spec';
import type { ScriptEntry } from '../../src/apps/testing/scripted-model/script';
import { answers, draft, JudgedPoems, vote } from './judged-poems';

/** A criterion with three questions of its own. */
const three = (name: string) => ({
  name,
  evaluatorConfig: { questions: ['first', 'second', 'third'].map((which) => `Is the ${which} part of ${name} there?`) },
});

describe('judges in parts', () => {
  let poems: JudgedPoems;
  beforeAll(async () => {
    poems = await JudgedPoems.start();
  });
  afterAll(() => poems.close());

  test('three votes are three executions; the majority decides, and spread lowers confidence', async () => {
    const script = [
      draft('poem'),
      { match: 'Judge', reply: vote(true, 0.9) },
      { match: 'Judge', reply: vote(false, 0.5, 'too long') },
      { match: 'Judge', reply: vote(true, 1) },
    ];
    const { result, activities } = await poems.run(script, {
      evaluator: { type: 'llm' },
      judge: { votes: 3, model: 'big' },
      reflectionModel: 'small',
    });
    expect(activities).toEqual([
      'reflection.generate',
      'reflection.evaluate',
      'reflection.evaluate',
      'reflection.evaluate',
    ]);
    expect(result).toMatchObject({ success: true, tokenUsage: { modelCalls: 4 } });
    expect(result.finalEvaluation!.overallScore).toBeCloseTo(0.8);
    expect(result.finalEvaluation!.confidence).toBeGreaterThan(0);
    expect(result.finalEvaluation!.confidence).toBeLessThan(0.5);
    expect(result.finalEvaluation!.issues).toEqual([
      { message: 'too long', evaluator: 'llm', identity: 'llm · too long' },
    ]);
    expect(result.finalEvaluation!.evaluators).toMatchObject([{ name: 'llm', outcome: 'pass' }]);
    expect(
      poems
        .requests()
        .map(({ body }) => body!.model)
        .slice(1),
    ).toEqual(['big', 'big', 'big']);
  });

  test('a vote that could not judge is left out, and never asked again once the others decided', async () => {
    const script = [
      draft('poem'),
      { match: 'Judge', reply: vote(true, 0.9), times: 2 },
      { match: 'Judge', status: 401 },
    ] as ScriptEntry[];
    const { result } = await poems.run(script, { evaluator: { type: 'llm' }, judge: { votes: 3 } });
    expect(result).toMatchObject({ success: true, finalEvaluation: { overallScore: 0.9 } });
    expect(result.finalEvaluation!.reason).toMatch(/2 of 3 votes.*1 could not judge/);
    expect(poems.requests()).toHaveLength(4);
  });

  test('of a panel that could not judge, only those votes are asked again that could not', async () => {
    const script = [
      draft('poem'),
      { match: 'Judge', reply: vote(true, 0.9) },
      { match: 'Judge', status: 401, times: 2 },
      { match: 'Judge', reply: vote(true, 0.7), times: 2 },
    ] as ScriptEntry[];
    const { result } = await poems.run(script, {
      evaluator: { type: 'llm' },
      judge: { votes: 3 },
      budget: { modelCalls: 9 },
    });
    expect(result).toMatchObject({ success: true, tokenUsage: { modelCalls: 4 } });
    expect(poems.requests()).toHaveLength(6);
  });

  test('two votes, one of which cannot judge in spite of being asked twice, are as good as one', async () => {
    const script = [
      draft('poem'),
      { match: 'Judge', reply: vote(true, 0.95) },
      { match: 'Judge', status: 401, times: 2 },
    ] as ScriptEntry[];
    const { result } = await poems.run(script, { evaluator: { type: 'llm' }, judge: { votes: 2 } });
    expect(result).toMatchObject({ convergenceReason: 'quality_met', finalEvaluation: { overallScore: 0.95 } });
    expect(result.finalEvaluation!.reason).toMatch(/1 of 2 votes.*1 could not judge/);
    expect(result.finalEvaluation!.confidence).toBeCloseTo(0.45);
    expect(poems.requests()).toHaveLength(4);
  });

  test('a single criterion that is a check costs no judge, and is told by its name', async () => {
    const evaluator: ReflectionSpec['evaluator'] = {
      type: 'criteria',
      criteria: [{ name: 'season', evaluator: 'regex', evaluatorConfig: { pattern: 'rain' } }],
    };
    const { result, activities } = await poems.run([draft('rain')], { evaluator, budget: { modelCalls: 1 } });
    expect(activities).toEqual(['reflection.generate']);
    expect(result).toMatchObject({
      convergenceReason: 'quality_met',
      finalEvaluation: { criteriaScores: { season: 1 }, evaluators: [{ name: 'criteria', type: 'criteria' }] },
    });
  });

  test('criteria: questions in one call, a check beside it, scores counted in code', async () => {
    const evaluator: ReflectionSpec['evaluator'] = {
      type: 'criteria',
      criteria: [
        three('coherence'),
        { name: 'season', evaluator: 'regex', evaluatorConfig: { pattern: 'rain' } },
        { ...three('wit'), weight: 2 },
      ],
    };
    const script = [
      draft('snow'),
      { match: 'Questions', reply: answers('yes', 'yes', 'no', 'yes', 'no', 'yes') },
      { match: 'was not accepted', reply: 'rain' },
      { match: 'Questions', reply: answers('yes', 'yes', 'yes', 'yes', 'yes', 'yes') },
    ] as ScriptEntry[];
    const { result, activities } = await poems.run(script, { evaluator });
    expect(activities).toEqual([
      'reflection.generate',
      'reflection.evaluate',
      'reflection.revise',
      'reflection.evaluate',
    ]);
    const [first, second] = result.history.versions;
    expect(first!.evaluation).toMatchObject({ outcome: 'fail', criteriaScores: { season: 0 } });
    expect(first!.evaluation.criteriaScores['coherence']).toBeCloseTo(2 / 3);
    expect(first!.evaluation.overallScore).toBeCloseTo((2 / 3 + 0 + 2 * (2 / 3)) / 4);
    expect(first!.evaluation.issues.map(({ criterion }) => criterion)).toEqual(['coherence', 'wit', 'season']);
    expect(first!.evaluation.issues[0]).toMatchObject({
      message: 'finding 3',
      severity: 'major',
      evaluator: 'criteria',
    });
    expect(second).toMatchObject({ evaluation: { outcome: 'pass', overallScore: 1 } });
    expect(second!.improvementsApplied).toHaveLength(3);
  });

  test('a comparison is asked in both orders; one that follows the place is a tie', async () => {
    const script = [
      draft('poem'),
      { match: 'Two outputs', reply: { reason: 'first', better: 'first', margin: 'clear', confidence: 0.8 }, times: 2 },
    ] as ScriptEntry[];
    const evaluator: ReflectionSpec['evaluator'] = {
      type: 'comparison',
      against: 'reference',
      reference: 'their poem',
    };
    const { result, activities } = await poems.run(script, { evaluator });
    expect(activities).toEqual(['reflection.generate', 'reflection.evaluate', 'reflection.evaluate']);
    expect(result.finalEvaluation).toMatchObject({ outcome: 'pass', overallScore: 0.5 });
    expect(result.finalEvaluation!.confidence).toBeLessThan(0.3);
    const shown = poems
      .requests()
      .slice(1)
      .map(({ body }) => body!.messages[1]!.content as string);
    const places = shown.map((text) => text.indexOf('their poem') > text.lastIndexOf('\npoem'));
    expect(new Set(places)).toEqual(new Set([false, true]));
  });

  test('the earlier version is compared with from the second version on', async () => {
    const script = [
      draft('poem'),
      { match: 'Judge', reply: vote(false, 0.5, 'too long') },
      { match: 'was not accepted', reply: 'another' },
      { match: 'Judge', reply: vote(true, 0.9) },
      {
        match: '<<<FIRST \\w+..poem',
        reply: { reason: 'r', better: 'first', margin: 'slight', faults_first: [], faults_second: ['dull'] },
      },
      {
        match: '<<<SECOND \\w+..poem',
        reply: { reason: 'r', better: 'second', margin: 'slight', faults_first: ['dull'], faults_second: [] },
      },
    ] as ScriptEntry[];
    const { result } = await poems.run(script, {
      evaluator: [{ type: 'llm' }, { type: 'comparison', name: 'progress', against: 'prior' }],
      maxIterations: 2,
    });
    const [first, second] = result.history.versions;
    expect(first!.evaluation.evaluators).toMatchObject([
      { outcome: 'fail' },
      { name: 'progress', outcome: 'pass', score: null },
    ]);
    expect(first!.evaluation.overallScore).toBe(0.5);
    expect(second!.evaluation.evaluators).toMatchObject([
      { outcome: 'pass' },
      { name: 'progress', outcome: 'fail', score: 0.25 },
    ]);
    expect(second!.evaluation.issues).toEqual([
      { message: 'dull', severity: 'major', evaluator: 'progress', identity: 'progress · dull' },
    ]);
    expect(result).toMatchObject({ success: false, convergenceReason: 'max_iterations' });
  });

  test('mistakes are told before anything is paid: a prior version alone, a reference that is missing', async () => {
    const evaluator = { type: 'comparison' as const, against: 'prior' as const };
    await expect(poems.run([], { evaluator })).rejects.toMatchObject({
      type: 'InvalidSpec',
      message: expect.stringMatching(/\/evaluator: .*accepts every draft/) as string,
    });
    const criteria = [{ name: 'near', evaluator: 'comparison' as const, evaluatorConfig: { against: 'reference' } }];
    await expect(poems.run([], { evaluator: { type: 'criteria', criteria } })).rejects.toMatchObject({
      message: expect.stringMatching(/\/evaluator\/criteria\/0\/evaluatorConfig\/reference: is required/) as string,
    });
  });
});
