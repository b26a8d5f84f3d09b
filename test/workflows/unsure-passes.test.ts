import { randomUUID } from 'node:crypto';
import type { ReflectionEvaluation } from '../../src/loop/contract/evaluation';
import type { ReflectionResult } from '../../src/loop/contract/results';
import { requestsOf } from '../../src/apps/testing/scripted-model/ledger';
import type { ScriptedRequest, ScriptEntry } from '../../src/apps/testing/scripted-model/script';
import { ScriptedOpenAI } from '../../src/apps/testing/scripted-model/server';
import { type LoopWorld, startWorld } from '../../testing/support/loop-world';

/** Passes, and says that something is grave: in words, as models do that keep to no severities. */
const torn = { valid: true, score: 0.95, confidence: 1, issues: ['A serious mistake: the date is wrong.'] };
const answers = (...grave: object[]) => ({
  confidence: 1,
  answers: ['q1', 'q2', 'q3'].map((question, index) => ({ question, answer: 'yes', ...grave[index] })),
});
const clear = { valid: true, score: 0.95, confidence: 1, issues: [{ message: 'A word is odd.', severity: 'minor' }] };

let first: () => object = () => torn;
function answer({ last }: ScriptedRequest): ScriptEntry {
  if (last.includes('SECOND LOOK')) return { reply: { valid: false, score: 0.1, issues: [{ message: 'wrong date' }] } };
  if (last.includes('LOOK') || last.includes('Answer the questions')) return { reply: first() };
  return { reply: '{"text": "On 31 February."}' };
}

describe('a pass whose own list names a grave fault', () => {
  let scripted: ScriptedOpenAI;
  let world: LoopWorld;
  beforeAll(async () => {
    scripted = await ScriptedOpenAI.start({ script: answer });
    world = await startWorld({ models: [{ name: 'm', model: 'm', baseUrl: scripted.baseUrl }] });
  });
  afterAll(async () => {
    await world?.close();
    await scripted?.close();
  });

  const schema = { type: 'schema', schema: { type: 'object', required: ['text'] } };
  const judge = { type: 'llm', name: 'judge', prompt: 'LOOK' };
  const checklist = {
    type: 'criteria',
    name: 'judge',
    criteria: [{ name: 'tone', evaluatorConfig: { questions: ['Is it polite?', 'Is it true?', 'Is it short?'] } }],
  };
  const second = { type: 'llm', name: 'second', prompt: 'SECOND LOOK' };
  const start = async <Result>(type: string, spec: object): Promise<Result> => {
    const { temporal, taskQueue } = world.client;
    const run = await temporal.workflow.start(type, { taskQueue, workflowId: `torn-${randomUUID()}`, args: [spec] });
    return (await run.result()) as Result;
  };
  const loop = (evaluator: object, more: object = {}) => ({
    generator: { action: 'llm.call', prompt: 'WRITE' },
    evaluator,
    maxIterations: 1,
    ...more,
  });
  const secondLooks = (before: number) =>
    requestsOf(scripted.ledger)
      .slice(before)
      .filter(({ body }) => body!.messages.at(-1)!.content.includes('SECOND LOOK')).length;

  const grave = { severity: 'critical', finding: 'The date does not exist.' };
  test.each<[string, object, object, object]>([
    ['a judge', judge, torn, {}],
    ['a judge beside a check that is no model', [schema, judge], torn, {}],
    [
      'a judge among judges that are sure',
      [judge, ...['a', 'b', 'c'].map((name) => ({ ...judge, name, prompt: `${name} LOOK` }))],
      torn,
      {},
    ],
    ['a panel', [schema, judge], torn, { votes: 3 }],
    ['a checklist with a grave finding beside a yes', checklist, answers(grave), {}],
    ['a checklist whose words are grave', [schema, checklist], answers({}, { finding: 'A critical gap in it.' }), {}],
  ])('%s: it is unsure, a warning says so, and the second judge decides', async (_who, evaluator, reply, settings) => {
    let asked = 0;
    // Only the first judge of several is torn.
    first = () => (Array.isArray(evaluator) && evaluator.length > 2 && asked++ > 0 ? clear : reply);
    const before = requestsOf(scripted.ledger).length;
    const alone = await start<ReflectionResult>('reflectionLoop', loop(evaluator, { judge: settings }));
    const [version] = alone.history.versions;
    expect(version).toMatchObject({ evaluation: { outcome: 'pass' } });
    expect(version!.warnings.join()).toMatch(/passed the output, and speaks of a grave fault/);
    if (!Array.isArray(evaluator)) expect(version!.evaluation.confidence).toBeLessThanOrEqual(0.4);
    expect(secondLooks(before)).toBe(0);

    asked = 0;
    const both = await start<ReflectionResult>('reflectionLoop', loop(evaluator, { judge: { ...settings, second } }));
    expect(secondLooks(before)).toBeGreaterThan(0);
    expect(both).toMatchObject({ success: false, finalEvaluation: { outcome: 'fail' } });
    expect(both.finalEvaluation!.evaluators.map(({ name }) => name)).toContain('second');
  });

  test('a pass with a small fault beside a check is sure: the second judge is not asked', async () => {
    first = () => clear;
    const before = requestsOf(scripted.ledger).length;
    const result = await start<ReflectionResult>('reflectionLoop', loop([schema, judge], { judge: { second } }));
    expect(result.success).toBe(true);
    expect(result.history.versions[0]!.warnings).toEqual([]);
    expect(secondLooks(before)).toBe(0);
  });

  test('in a pipeline, too: of a loop the second judge decides, of a judging node a warning tells', async () => {
    first = () => torn;
    const { nodes, state } = await start<{ nodes: { warnings?: string[] }[]; state: object }>('reflectionPipeline', {
      nodes: [
        { name: 'look', uses: 'reflection.evaluate', with: { evaluator: judge, data: 'A text.' } },
        { name: 'loop', uses: 'reflection.loop', with: loop([schema, judge], { judge: { second } }) },
      ],
    });
    expect(nodes[0]!.warnings!.join()).toMatch(/speaks of a grave fault/);
    expect(state).toMatchObject({ outcome: 'pass', success: false, valid: false });
  });

  test('a pass with a fault that is called critical is none, in an evaluation by itself, too', async () => {
    first = () => ({ ...torn, issues: [grave, { message: 'wrong', severity: 'critical' }] });
    const evaluation = await start<ReflectionEvaluation>('reflectionEvaluate', { evaluator: judge, data: 'A text.' });
    expect(evaluation).toMatchObject({ outcome: 'inconclusive', satisfactory: false });
    expect(evaluation.unreadReplies![0]).toMatchObject({ evaluator: 'judge', problem: /critical or major fault/ });
  });
});
