import { randomUUID } from 'node:crypto';
import { Worker } from '@temporalio/worker';
import { ReflectionPlugin } from '../../src/worker';
import type { SpecWithFunctions } from '../../src/workflow';
import type * as own from './function-workflows';
import { OWN_WORKFLOWS, type PluginWorld, startPluginWorld } from './plugin-world';

const failing: SpecWithFunctions = { evaluator: { type: 'schema', schema: { const: 'never' } } };

describe('functions of a workflow that do parts of its loop', () => {
  let world: PluginWorld;

  beforeAll(async () => {
    world = await startPluginWorld({});
  }, 60_000);
  afterAll(() => world?.close());

  const execute: PluginWorld['execute'] = (...call) => world.execute(...call);

  test('generate, evaluate and revise: activities, code and a child workflow, with their usage in the result', async () => {
    const { result, told } = await execute<typeof own.threeFunctions>('threeFunctions', {
      task: 'Write of {{ state.topic }}.',
      state: { topic: 'ada' },
    });
    expect(result).toMatchObject({ success: true, iterationsUsed: 2, finalOutput: 'ADA! MORE!' });
    expect(result.tokenUsage).toEqual({
      promptTokens: 160,
      completionTokens: 40,
      totalTokens: 200,
      modelCalls: 4,
      usd: 0.04,
    });
    expect(told).toEqual([
      { generate: 1, task: 'Write of {{ state.topic }}.', topic: 'ada' },
      { evaluate: 1, output: 'ADA!', qualityThreshold: 0.8 },
      { revise: 2, output: 'ADA!', issues: ['more'] },
      { evaluate: 2, output: 'ADA! MORE!', qualityThreshold: 0.8 },
    ]);
    const [first, second] = result.history.versions;
    expect(first).toMatchObject({ origin: 'draft', evaluation: { overallScore: 0.3 } });
    expect(second).toMatchObject({ origin: 'revision', evaluation: { overallScore: 0.9 } });
  });

  test.each([
    [false, { found: 0 }, ['unproven: find was not called as far as is recorded: an agent only reports that it was']],
    [true, { found: 1 }, []],
  ])('a call that an agent reports proves a criterion that takes reports: %s', async (reported, scores, messages) => {
    const criteria = [{ name: 'found', proof: { call: 'find', result: { pattern: 'May' }, reported } }];
    const spec: SpecWithFunctions = { maxIterations: 1, evaluator: { type: 'criteria', criteria } };
    const { result } = await execute<typeof own.reportingAgent>('reportingAgent', spec);
    const { criteriaScores, issues } = result.history.versions[0]!.evaluation;
    expect(criteriaScores).toEqual(scores);
    expect(issues.flatMap(({ type, message }) => (type === 'unproven' ? [message] : []))).toEqual(messages);
  });

  test('an agent reports its calls, which judges get, and goes on with its conversation', async () => {
    const { result, told } = await execute<typeof own.reportingAgent>('reportingAgent', { maxIterations: 3 });
    const call = { name: 'find', arguments: { id: 1 }, result: 'on 3 May', outcome: 'ok', source: 'reported' };
    expect(result.history.versions.map(({ calls }) => calls)).toEqual([[call], undefined, undefined]);
    expect(told).toEqual([
      { generate: 1 },
      { evidence: [call] },
      { revise: 2, conversation: ['version 1'], evidence: 1 },
      { evidence: [call] },
      { revise: 3, conversation: ['version 1', 'version 2'], evidence: 1 },
      { evidence: [call] },
    ]);
  });

  test('replays of a run with functions do the same', async () => {
    const spec: SpecWithFunctions = { state: { topic: 'ada' } };
    const workflowId = `replayed-${randomUUID()}`;
    const handle = await world.temporal.workflow.start('threeFunctions', {
      taskQueue: world.taskQueue,
      workflowId,
      args: [spec],
    });
    await handle.result();
    const history = await handle.fetchHistory();
    const options = { workflowsPath: OWN_WORKFLOWS, plugins: [new ReflectionPlugin()] };
    await expect(Worker.runReplayHistory(options, history, workflowId)).resolves.toBeUndefined();
  });

  test('evaluate judges beside the evaluators of the spec', async () => {
    const { result } = await execute<typeof own.threeFunctions>('threeFunctions', {
      state: { topic: 'ada' },
      evaluator: { type: 'schema', schema: { type: 'string', maxLength: 5 } },
      maxIterations: 2,
    });
    expect(result.success).toBe(false);
    expect(result.history.versions[0]!.evaluation.issues).toMatchObject([{ message: 'more', evaluator: 'evaluate' }]);
    expect(result.history.versions[1]!.evaluation.issues).toMatchObject([{ evaluator: 'schema' }]);
  });

  test('generate alone is called again, and reads what was wrong', async () => {
    const evaluator = { type: 'schema', schema: { properties: { done: { const: true } } } } as const;
    const result = await execute<typeof own.ownGenerator>('ownGenerator', { evaluator });
    expect(result).toMatchObject({ success: true, iterationsUsed: 2, finalOutput: { done: true } });
    expect(result.tokenUsage.modelCalls).toBe(0);
  });

  test('what they use counts towards the budget', async () => {
    const { result } = await execute<typeof own.threeFunctions>('threeFunctions', {
      state: { topic: 'ada' },
      budget: { tokens: 100 },
    });
    expect(result).toMatchObject({ success: false, convergenceReason: 'token_budget', iterationsUsed: 1 });
    expect(result.tokenUsage.totalTokens).toBe(100);
  });

  test('a child workflow that fails is a step that failed: the best version is handed back', async () => {
    const result = await execute<typeof own.failingReviser>('failingReviser', {});
    expect(result).toMatchObject({ success: false, finalOutput: 'draft', convergenceReason: 'error' });
    // What it says that it used cannot be counted.
    expect(result.tokenUsage).toMatchObject({ totalTokens: 0, usd: 0 });
  });

  test('a child workflow that somebody else cancelled is a step that failed: the loop is not cancelled', async () => {
    const result = await execute<typeof own.cancelledReviser>('cancelledReviser', {});
    expect(result).toMatchObject({ success: false, finalOutput: 'draft', convergenceReason: 'error' });
  });

  test.each([
    ['nothing', null, 'InvalidFunction: The function generate must return an object with `output`.'],
    ['no output', {}, 'InvalidFunction: The function generate must return an `output` that is JSON.'],
    [
      'a wrong usage',
      { output: 1, tokenUsage: { usd: -1 } },
      'InvalidFunction: The function generate `tokenUsage.usd` must be a number from 0.',
    ],
    [
      'calls that are none',
      { output: 1, calls: ['find'] },
      'InvalidFunction: The function generate must return other `calls`: /calls/0 is no object.',
    ],
    ['a failure of its own', 'throw', 'Enough: enough'],
    ['an output', { output: [1] }, '[1]'],
  ])('a function that returns %s', async (_what, answer, said) => {
    await expect(execute<typeof own.answering>('answering', answer)).resolves.toBe(said);
  });

  test('a function is cancelled when the time budget is spent, and when a person aborts', async () => {
    const spec = { ...failing, budget: { wallClock: '2s' } };
    const slow = await execute<typeof own.slowGenerator>('slowGenerator', spec);
    expect(slow).toEqual({ reason: 'time_budget', cancelled: true });
    const aborted = await execute<typeof own.abortedFunction>('abortedFunction', failing);
    expect(aborted).toMatchObject({ convergenceReason: 'aborted', finalOutput: 'draft' });
  });

  test.each(['fails', 'hangs'] as const)(
    'onWaiting is called once for a wait, which ends as it would if that %s',
    async (how) => {
      const { result, heard } = await execute<typeof own.waitsHeard>('waitsHeard', how);
      expect(heard).toEqual([{ iteration: 1, output: 'draft', reason: 'max_iterations', hasId: true }, 'PAGER!']);
      expect(result).toMatchObject({ success: true, convergenceReason: 'user_accepted' });
      const warnings = result.history.versions[0]!.warnings.filter((warning) => warning.includes('the pager is off'));
      expect(warnings).toHaveLength(how === 'fails' ? 1 : 0);
    },
  );

  test('an aborted loop waits for what a function cleans up', async () => {
    await expect(execute<typeof own.tidyFunction>('tidyFunction')).resolves.toEqual({
      reason: 'aborted',
      cleaned: 'CLEANED!',
    });
  });

  test('a spec without a generator needs a function, and nobody names one from outside', async () => {
    await expect(execute<typeof own.failingReviser>('ownGenerator', {})).rejects.toMatchObject({
      cause: { type: 'InvalidSpec', message: expect.stringContaining('/evaluator: is required') },
    });
    const named = { ...failing, generator: { action: 'reflect.generate' } } as Parameters<typeof world.client.run>[0];
    await expect(world.client.run(named)).rejects.toMatchObject({ type: 'UnknownAction' });
  });
});
