import type { PipelineProgress } from '../../src/kinds/pipeline/contract/pipeline-results';
import { eventually } from '../../testing/support/eventually';
import { failure, loop, PipelineWorld, ran } from '../../testing/support/pipelines';

let world: PipelineWorld;
beforeAll(async () => {
  world = await PipelineWorld.start([{ match: 'forbidden', times: 'always', status: 401 }]);
});
afterAll(() => world.close());

describe('a pipeline that cannot go on', () => {
  test('every mistake of every node is told before anything runs', async () => {
    const before = ran.length;
    const { type, details } = await failure(
      world
        .run({
          nodes: [
            { name: 'fine', uses: 'gives', with: { value: {} } },
            { name: 'fine', uses: 'missing', with: {} },
            {
              name: 'loop',
              uses: 'reflection.loop',
              with: { ...(loop([1]) as object), onFailure: 'panic', maxIterations: 0 },
            },
            { name: 'broken', uses: 'gives', with: { value: '{{ state.' } },
            {
              name: 'judge',
              uses: 'reflection.evaluate',
              with: { evaluator: { type: 'schema', schema: { type: 'odd' } } },
            },
            { name: 'code', run: 'return {}' },
            { name: 'model', uses: 'llm.call', with: { model: 'other', prompt: 'x' } },
          ],
        } as never)
        .catch((error: unknown) => Promise.reject(error)),
    );
    expect(type).toBe('InvalidSpec');
    const told = (details[0] as { path: string; message: string }[]).map(({ path, message }) => `${path}: ${message}`);
    expect(told).toEqual(
      expect.arrayContaining([
        '/nodes/1/name: node 1 is called "fine" already',
        expect.stringMatching(/^\/nodes\/1\/uses: action "missing" is not registered/),
        expect.stringMatching(/^\/nodes\/2\/with\/onFailure: /),
        expect.stringMatching(/^\/nodes\/2\/with\/maxIterations: /),
        expect.stringMatching(/^\/nodes\/3\/with\/value: /),
        expect.stringMatching(/^\/nodes\/4\/with\/evaluator\/schema/),
        expect.stringMatching(/^\/nodes\/6\/output: is required/),
        expect.stringMatching(/^\/nodes\/6\/with\/model: /),
      ]),
    );
    expect(ran.length).toBe(before);
  });

  test('a node that fails says which it was, and what earlier nodes made can still be read', async () => {
    const handle = await world.started({
      nodes: [
        { name: 'made', uses: 'gives', with: { value: { kept: 'yes' } } },
        { name: 'snaps', uses: 'breaks' },
        { name: 'never', uses: 'gives', with: { value: {} } },
      ],
    });
    const { type, message, details } = await failure(handle.result());
    expect({ type, message, details }).toEqual({
      type: 'StepFailed',
      message: 'Node "snaps" failed: the pen broke',
      details: [{ node: 'snaps', index: 1 }],
    });
    const progress = await handle.query<PipelineProgress>('progress');
    expect(progress).toMatchObject({
      phase: 'failed',
      nodes: [
        { name: 'made', action: 'gives', status: 'done' },
        { name: 'snaps', status: 'failed', error: 'Node "snaps" failed: the pen broke' },
        { name: 'never', status: 'waiting' },
      ],
      state: { kept: 'yes' },
    });
    expect(await handle.query('progress', { state: false })).not.toHaveProperty('state');
  });

  test('a loop that raises fails the pipeline as it would fail alone; one that returns its best goes on', async () => {
    const raising = loop([{ title: 'x' }], { maxIterations: 2, onFailure: 'raise' });
    const raised = await failure(world.run({ nodes: [{ name: 'strict', uses: 'reflection.loop', with: raising }] }));
    expect(raised).toMatchObject({
      type: 'ReflectionFailedError',
      details: [
        { node: 'strict', history: [{ iteration: 1, output: { title: 'x' }, valid: false }, { iteration: 2 }] },
      ],
    });
    const { state } = await world.run({
      nodes: [
        { name: 'mild', uses: 'reflection.loop', with: loop([{ title: 'x' }], { maxIterations: 2 }), output: 'best' },
        { name: 'next', uses: 'gives', with: { value: { went: 'on with {{ state.best.title }}' } } },
      ],
    });
    expect(state).toMatchObject({ success: false, exhausted: true, went: 'on with x' });
  });

  test("a model's failure keeps its type, and a templated setting that is wrong is found where it stands", async () => {
    const refused = await failure(
      world.run({ nodes: [{ name: 'ask', uses: 'llm.call', with: { prompt: 'forbidden' }, output: 'x' }] }),
    );
    expect(refused).toMatchObject({ type: 'Model.Unauthorized', details: [{ node: 'ask' }] });
    const wrong = await failure(
      world.run({
        state: { tries: 'many' },
        nodes: [{ name: 'l', uses: 'reflection.loop', with: loop([1], { maxIterations: '{{ state.tries }}' }) }],
      }),
    );
    expect(wrong).toMatchObject({
      type: 'InvalidSpec',
      details: [[{ path: '/nodes/0/with/maxIterations' }], { node: 'l' }],
    });
  });

  test.each([
    ['llm.call', { prompt: 'forbidden', temperature: '{{ state.x }}' }, '/temperature'],
    [
      'reflection.loop',
      { ...(loop([1]) as object), evaluator: { type: 'schema', schema: '{{ state.x }}' } },
      '/evaluator/schema',
    ],
    [
      'reflection.evaluate',
      { data: 1, evaluator: { type: 'schema', schema: { type: '{{ state.x }}' } } },
      '/evaluator/schema/type',
    ],
    [
      'reflection.correct',
      { data: 1, errors: ['x'], corrector: { action: 'llm.call', prompt: 'forbidden', maxTokens: '{{ state.x }}' } },
      '/corrector/maxTokens',
    ],
    [
      'reflection.evaluate',
      { data: 1, evaluator: { type: 'criteria', criteria: '{{ state.code }}' } },
      '/evaluator/criteria/0/evaluator',
    ],
  ])('a late parameter of %s that is wrong fails its node before it is paid for', async (uses, given, path) => {
    const calls = world.scripted.ledger.length;
    const code = [{ name: 'a', evaluator: 'custom', evaluatorConfig: { run: '1' } }];
    const nodes = [{ name: 'n', uses, with: given, output: 'o' }];
    const wrong = await failure(world.run({ state: { x: 'hot', code }, nodes }));
    expect(wrong).toMatchObject({
      type: 'InvalidSpec',
      message: expect.stringMatching(/^Node "n" failed: /),
      details: [[{ path: `/nodes/0/with${path}` }], { node: 'n' }],
    });
    expect(world.scripted.ledger).toHaveLength(calls);
  });

  test('a mistake beside a late parameter, and one in its template, are told before anything is paid for', async () => {
    const wrong = await failure(
      world.run({
        nodes: [
          { name: 'first', uses: 'llm.call', with: { prompt: 'forbidden' }, output: 'x' },
          { name: 'a', uses: 'llm.call', with: { messages: '{{ state.x }}', temperature: 9 }, output: 'x' },
          {
            name: 'b',
            uses: 'reflection.loop',
            with: loop([1], { evaluator: { type: 'schema', schema: '{{ 1 + }}' } }),
          },
          { name: 'c', uses: 'reflection.evaluate', with: { evaluator: '{{ state.e }}' } },
        ],
      }),
    );
    expect(wrong).toMatchObject({
      type: 'InvalidSpec',
      details: [
        [
          { path: '/nodes/1/with/temperature' },
          { path: '/nodes/3/with/evaluator' },
          { path: '/nodes/2/with/evaluator/schema' },
        ],
      ],
    });
  });
});

test('a node that has nothing to judge, or a template that fails, is its failure', async () => {
  const nothing = await failure(
    world.run({
      nodes: [{ name: 'empty', uses: 'reflection.evaluate', with: { evaluator: { type: 'schema', schema: true } } }],
    }),
  );
  expect(nothing).toMatchObject({
    type: 'InvalidSpec',
    message: expect.stringMatching(/^Node "empty" failed: /),
    details: [[{ path: '/nodes/0/with/data', message: expect.stringMatching(/is required/) }], { node: 'empty' }],
  });
  const rendering = await failure(
    world.run({
      nodes: [
        {
          name: 'adds',
          uses: 'reflection.evaluate',
          with: { evaluator: { type: 'schema', schema: true }, data: '{{ 1 + state }}' },
        },
      ],
    }),
  );
  expect(rendering).toMatchObject({ type: 'StepFailed', details: [{ node: 'adds' }] });
});

test('what is no pipeline at all is refused, and answers what it is asked', async () => {
  for (const nonsense of [null, 'text', { nodes: ['x', null, 5] }, { nodes: [] }, { nodes: 'many' }]) {
    const handle = await world.started(nonsense);
    expect(await failure(handle.result())).toMatchObject({ type: 'InvalidSpec' });
    expect(await handle.query('progress')).toMatchObject({ phase: 'preparing' });
  }
});

test('a state that would not fit is refused before it is lost', async () => {
  const value = 'x'.repeat(1_000_000);
  const failed = await failure(
    world.run({
      nodes: [1, 2].map((number) => ({ name: `${number}`, uses: 'gives', with: { value }, output: `half ${number}` })),
    }),
  );
  expect(failed).toMatchObject({ type: 'OutputTooLarge', details: [{ node: '2' }] });
});

describe('people and pipelines', () => {
  const stuck = {
    generator: { action: 'waits' },
    evaluator: { type: 'schema', schema: true },
  };

  async function stuckLoop(): Promise<Awaited<ReturnType<PipelineWorld['started']>>> {
    const handle = await world.started({
      nodes: [
        { name: 'stuck', uses: 'reflection.loop', with: stuck },
        { name: 'after', uses: 'gives', with: { value: { after: true } } },
      ],
    });
    const child = world.loops.client.temporal.workflow.getHandle(`${handle.workflowId}/stuck`);
    await eventually(
      () => child.query<{ phase: string }>('progress').catch(() => undefined),
      (progress) => progress?.phase === 'generating',
    );
    return handle;
  }

  test('a command is for the loop: the pipeline refuses it with the id, the loop takes it, and the pipeline goes on', async () => {
    const handle = await stuckLoop();
    await expect(world.loops.client.abort(handle.workflowId)).rejects.toThrow(
      `send it to its loop "${handle.workflowId}/stuck"`,
    );
    // A signal of any name, and an update of none of these, too.
    await expect(handle.executeUpdate('acept')).rejects.toMatchObject({
      cause: { message: expect.stringMatching(/^a pipeline takes no commands: send it to its loop ".*\/stuck"/) },
    });
    await handle.signal('accept', { by: 'reviewer' });
    const page = await eventually(
      () => handle.query<{ currentDetails?: string }>('__temporal_workflow_metadata'),
      ({ currentDetails }) => currentDetails?.includes('was refused') ?? false,
    );
    expect(page.currentDetails).toContain('- accept was refused: a pipeline takes no commands: send it to its loop ');
    await world.loops.client.temporal.workflow
      .getHandle(`${handle.workflowId}/stuck`)
      .signal('abort', { by: 'reviewer' });
    expect(await handle.result()).toMatchObject({ state: { success: false, reflection_output: null, after: true } });
  });

  test('cancelling the pipeline cancels its loop', async () => {
    const handle = await stuckLoop();
    await handle.cancel();
    await expect(handle.result()).rejects.toMatchObject({ cause: { name: 'CancelledFailure' } });
    const child = await world.loops.client.temporal.workflow.getHandle(`${handle.workflowId}/stuck`).describe();
    expect(child.status.name).toBe('CANCELLED');
  });

  test('cancelling the loop alone fails its node', async () => {
    const handle = await stuckLoop();
    await world.loops.client.temporal.workflow.getHandle(`${handle.workflowId}/stuck`).cancel();
    expect(await failure(handle.result())).toMatchObject({
      type: 'StepFailed',
      message: 'Node "stuck" failed: its run was cancelled',
    });
  });
});
