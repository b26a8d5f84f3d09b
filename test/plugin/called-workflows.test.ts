import { randomUUID } from 'node:crypto';
import { NativeConnection, Worker } from '@temporalio/worker';
import { ReflectionPlugin } from '../../src/worker';
import type { ReflectionSpec } from '../../src/workflow';
import { testAddress } from '../../testing/support/temporal-server';
import { OWN_WORKFLOWS, type PluginWorld, startPluginWorld } from './plugin-world';

const passes = { type: 'schema', schema: true } as const;
const fails = { type: 'schema', schema: { const: 'never' } } as const;

describe('steps and evaluators that are workflows of anybody', () => {
  let world: PluginWorld;

  beforeAll(async () => {
    world = await startPluginWorld({});
  }, 180_000);
  afterAll(() => world?.close());

  /** Runs a loop; its children, with their ids as they follow that of the run. */
  async function run(spec: ReflectionSpec) {
    const id = `loop-${randomUUID()}`;
    const result = await world.client.run(spec, { workflowId: id });
    return { id, result };
  }

  async function childrenOf(id: string) {
    const { events = [] } = await world.temporal.workflow.getHandle(id).fetchHistory();
    return (events ?? []).flatMap(({ startChildWorkflowExecutionInitiatedEventAttributes: child }) => child ?? []);
  }

  const loop: ReflectionSpec = {
    name: 'letters',
    task: 'Write of {{ state.topic }}.',
    state: { topic: 'ada', least: 8 },
    generator: { workflow: 'writer' },
    corrector: { workflow: 'writer', with: 'kindly' },
    evaluator: { type: 'workflow', workflow: 'judge', with: { least: '{{ state.least }}' } },
  };

  test('generator, corrector and evaluator, with their usage in the result; a replay does the same', async () => {
    const { id, result } = await run(loop);
    expect(result).toMatchObject({ success: true, iterationsUsed: 2, finalOutput: 'ADA! more' });
    expect(result.tokenUsage).toEqual({
      promptTokens: 160,
      completionTokens: 40,
      totalTokens: 200,
      modelCalls: 4,
      usd: 0.04,
    });
    const [first, second] = result.history.versions;
    expect(first!.evaluation).toMatchObject({
      overallScore: 0.3,
      issues: [{ message: 'more', evaluator: 'workflow' }],
    });
    expect(first!.evaluation.suggestions).toEqual(['0.8']);
    expect(second).toMatchObject({ origin: 'revision', warnings: ['again'] });
    const children = await childrenOf(id);
    expect(children.map(({ workflowId }) => workflowId!.replace(id, '').replace(/-\w{8}$/, ''))).toEqual([
      '/generate-1',
      '/evaluate-1',
      '/revise-2',
      '/evaluate-2',
    ]);
    const history = await world.temporal.workflow.getHandle(id).fetchHistory();
    const options = { workflowsPath: OWN_WORKFLOWS, plugins: [new ReflectionPlugin()] };
    await expect(Worker.runReplayHistory(options, history, id)).resolves.toBeUndefined();
  });

  test('what they are told: the task rendered, parameters with their types, the state', async () => {
    const told = { topics: '{{ state.topics }}', task: '{{ task }}' };
    const spec = { ...loop, state: { topic: 'ada', topics: ['a', 'b'] }, generator: { workflow: 'echo', with: told } };
    const { result } = await run({ ...spec, corrector: { workflow: 'echo' }, evaluator: fails, maxIterations: 2 });
    const [draft, revision] = result.history.versions.map(({ output }) => output as Record<string, unknown>);
    expect(draft).toEqual({
      part: 'generate',
      iteration: 1,
      task: 'Write of ada.',
      with: { topics: ['a', 'b'], task: 'Write of ada.' },
      state: expect.arrayContaining(['reflection_errors', 'topic', 'topics']),
    });
    expect(revision).toMatchObject({
      part: 'revise',
      iteration: 2,
      output: draft,
      issues: [{ evaluator: 'schema' }],
      evaluation: { outcome: 'fail' },
      state: expect.not.arrayContaining(['reflection_output']),
    });
  });

  test('what they use counts towards the budget, and a budget that is spent calls none', async () => {
    const { id, result } = await run({ ...loop, budget: { tokens: 50 } });
    expect(result).toMatchObject({ success: false, convergenceReason: 'token_budget', iterationsUsed: 1 });
    expect(result.tokenUsage.totalTokens).toBe(50);
    expect(await childrenOf(id)).toHaveLength(1);
  });

  test.each([
    ['a number', 0.9, { success: true }],
    ['a boolean and why', [false, 'dull'], { success: false, convergenceReason: 'max_iterations' }],
    ['an evaluation in the words of actions', { valid: true, errors: null }, { success: true }],
    ['what is none', 'good', { success: false, convergenceReason: 'blocked' }],
    ['nothing', 'nothing', { success: false, convergenceReason: 'blocked' }],
    ['a failure', 'fail', { success: false, convergenceReason: 'blocked' }],
  ])('an evaluator that returns %s', async (_what, told, expected) => {
    const evaluator = { type: 'workflow', workflow: 'answers', with: told } as const;
    const { result } = await run({ ...loop, evaluator });
    expect(result).toMatchObject(expected);
    const { reason } = result.finalEvaluation!;
    if ('convergenceReason' in expected) expect(reason).toMatch(/must return a boolean|the pen broke|dull/);
  });

  test.each([
    ['any value', [1], { output: [1], tokens: 0 }],
    ['an object of its own', { output: 1, more: 2 }, { output: { output: 1, more: 2 }, tokens: 0 }],
    ['an output with its usage', { output: 1, tokenUsage: { promptTokens: 3 } }, { output: 1, tokens: 3 }],
  ])('a generator that returns %s', async (_what, told, { output, tokens }) => {
    const { result } = await run({ generator: { workflow: 'answers', with: told }, evaluator: passes });
    expect({ output: result.finalOutput, tokens: result.tokenUsage.totalTokens }).toEqual({ output, tokens });
  });

  test.each([
    ['a failure', 'fail', 'Broken', /the pen broke/],
    ['nothing', 'nothing', 'StepFailed', /"answers" returned nothing/],
    ['a wrong usage', { output: 1, tokenUsage: { usd: -1 } }, 'StepFailed', /`tokenUsage.usd` must be a number from 0/],
  ])('a generator that returns %s fails like any other', async (_what, told, type, message) => {
    const failing = run({ generator: { workflow: 'answers', with: told }, evaluator: passes });
    await expect(failing).rejects.toMatchObject({ type, message: expect.stringMatching(message) });
  });

  test('one that fails later leaves the best version, and is not called again', async () => {
    const { id, result } = await run({ generator: { workflow: 'draftsOnly' }, evaluator: fails });
    expect(result).toMatchObject({ finalOutput: 'draft', convergenceReason: 'error' });
    expect(result.tokenUsage.modelCalls).toBe(0);
    expect(await childrenOf(id)).toHaveLength(2);
  });

  test('one that no worker knows ends with what it may take, and says so', async () => {
    const spec = { generator: { workflow: 'nobodys' }, evaluator: passes, timeouts: { retryFor: '2s' } };
    const said = `the workflow "nobodys" did not end within 2.0 s: does a worker of the task queue "${world.taskQueue}" have it?`;
    const refused = run(spec).catch((error: unknown) => error);
    const late = run({
      ...spec,
      timeouts: {},
      generator: { workflow: 'draftsOnly' },
      corrector: { workflow: 'nobodys' },
      evaluator: fails,
      budget: { wallClock: '3s' },
    });
    expect(await refused).toMatchObject({ type: 'StepFailed', message: expect.stringContaining(said) });
    const { result } = await late;
    expect(result).toMatchObject({ convergenceReason: 'time_budget', finalOutput: 'draft' });
  });

  test('an abort cancels the child, and the run does not wait for it', async () => {
    const spec = {
      ...loop,
      generator: { workflow: 'draftsOnly' },
      corrector: { workflow: 'endless' },
      evaluator: fails,
    };
    const handle = await world.client.start(spec as ReflectionSpec);
    const child = await started(handle.workflowId, 'endless');
    await world.client.abort(handle.workflowId);
    await expect(handle.result()).resolves.toMatchObject({ convergenceReason: 'aborted', finalOutput: 'draft' });
    const ended = world.temporal.workflow.getHandle(child).result();
    await expect(ended).rejects.toMatchObject({ cause: { name: 'CancelledFailure' } });
  });

  /** The id of a child that has begun. */
  async function started(id: string, type: string): Promise<string> {
    for (;;) {
      const child = (await childrenOf(id)).find(({ workflowType }) => workflowType!.name === type);
      if (child) {
        const { status } = await world.temporal.workflow
          .getHandle(child.workflowId!)
          .describe()
          .catch(() => ({ status: undefined }));
        if (status) return child.workflowId!;
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  test('a workflow of another task queue', async () => {
    const connection = await NativeConnection.connect({ address: testAddress() });
    const taskQueue = `agents-${randomUUID()}`;
    const workflows = { path: require.resolve('./called-workflow-types') };
    const other = await Worker.create({ connection, taskQueue, workflowsPath: workflows.path });
    await other.runUntil(async () => {
      const generator = { workflow: 'answers', taskQueue, with: 'from afar' };
      const { id, result } = await run({ generator, evaluator: passes });
      expect(result.finalOutput).toBe('from afar');
      const [child] = await childrenOf(id);
      expect(child!.taskQueue!.name).toBe(taskQueue);
    });
    await connection.close();
  });

  test('nodes of a pipeline, tasks of a plan, an evaluation and a correction alone', async () => {
    const { temporal, taskQueue } = world;
    const execute = (type: string, argument: unknown) =>
      temporal.workflow.execute(type, { taskQueue, workflowId: `${type}-${randomUUID()}`, args: [argument] });
    const pipeline = {
      state: { topic: 'ada' },
      nodes: [
        { name: 'write', workflow: 'writer', output: 'letter' },
        { name: 'judge', uses: 'reflection.evaluate', with: { evaluator: loop.evaluator, data: '{{ state.letter }}' } },
      ],
    };
    const judged = { ...pipeline, state: { topic: 'ada', least: 3 } };
    await expect(execute('reflectionPipeline', judged)).resolves.toMatchObject({
      state: { letter: 'ADA!', valid: true, score: 0.9 },
    });
    const task = { id: 'a', description: 'Write of {{ state.topic }}.', step: { workflow: 'writer' } };
    const plan = {
      goal: 'a letter',
      state: { topic: 'ada' },
      plan: { id: 'p', tasks: [task] },
      enableReflection: false,
    };
    await expect(execute('planReflection', plan)).resolves.toMatchObject({
      success: true,
      results: [{ output: 'ADA!' }],
      tokenUsage: { totalTokens: 50 },
    });
    const request = { corrector: { workflow: 'writer' }, data: 'a', errors: ['b'] };
    await expect(execute('reflectionCorrect', request)).resolves.toMatchObject({
      output: 'a b',
      tokenUsage: { totalTokens: 50 },
    });
  });

  test('prepare says what is wrong with names, fields and templates', async () => {
    const generator = { workflow: '__temporal_x', taskQueue: '/_sys/q', with: '{{ state.', prompt: 'x' };
    const wrong = { ...loop, generator, corrector: { workflow: 'a\u0000' } } as unknown as ReflectionSpec;
    const failure: unknown = await run(wrong).catch((error: unknown) => error);
    expect(failure).toMatchObject({ type: 'InvalidSpec' });
    const { problems } = failure as { problems: { path: string }[] };
    expect(problems.map(({ path }) => path).toSorted()).toEqual([
      '/corrector/workflow',
      '/generator/prompt',
      '/generator/taskQueue',
      '/generator/workflow',
    ]);
    const text = { ...loop, generator: { workflow: 'a', with: ['{{ state.'] } };
    await expect(run(text)).rejects.toMatchObject({ problems: [{ path: '/generator/with/0' }] });
  });
});
