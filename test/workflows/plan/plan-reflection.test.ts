import { randomUUID } from 'node:crypto';
import { planAndLearn, publication, publishingActions } from '../../../examples/plan-and-learn/main';
import type { PlanRunResult } from '../../../src/kinds/plan/contract/plan-results';
import type { PlanSpec, Task } from '../../../src/kinds/plan/contract/plan';
import { type Memory, openMemory } from '../../../src/worker';
import { requestsOf } from '../../../src/apps/testing/scripted-model/ledger';
import type { ScriptEntry } from '../../../src/apps/testing/scripted-model/script';
import { ScriptedOpenAI } from '../../../src/apps/testing/scripted-model/server';
import { type LoopWorld, startWorld } from '../../../testing/support/loop-world';
import { failure } from '../../../testing/support/pipelines';
import { names, plan, planActions, ran, task } from '../../../testing/support/plan-tasks';
import { startPostgres, type TestPostgres } from '../../../testing/support/postgres';

describe('planReflection on a real server, with its memory in PostgreSQL', () => {
  let postgres: TestPostgres;
  let memory: Memory;
  let script: ScriptEntry[] = [];
  let scripted: ScriptedOpenAI;
  let world: LoopWorld;
  let asked = 0;
  beforeAll(async () => {
    postgres = await startPostgres();
    memory = openMemory({ connectionString: postgres.connectionString });
    scripted = await ScriptedOpenAI.start({ script: () => script.shift() });
    world = await startWorld({
      actions: [...planActions, ...publishingActions()],
      memory,
      models: ['m', 'second'].map((name) => ({ name, model: name, baseUrl: scripted.baseUrl })),
    });
  });
  afterAll(async () => {
    await world?.close();
    await scripted?.close();
    await memory?.close();
    await postgres?.stop();
  });
  beforeEach(() => {
    ran.length = 0;
    script = [];
    asked = requestsOf(scripted.ledger).length;
  });

  const prompts = () =>
    requestsOf(scripted.ledger)
      .slice(asked)
      .map(({ body }) => body!.messages.map(({ content }) => content).join('\n'));
  const start = (spec: unknown, prefix = 'plan') =>
    world.client.temporal.workflow.start('planReflection', {
      taskQueue: world.client.taskQueue,
      workflowId: `${prefix}-${randomUUID()}`,
      args: [spec],
    });
  const run = async (spec: PlanSpec): Promise<PlanRunResult> => world.client.plans.run(spec);
  const byRules = { goal: 'Publish the report', enableLlmReflection: false };

  test('tasks run when what they depend on is done, independent ones side by side, a loop as a run of its own', async () => {
    const result = await run({
      ...byRules,
      plan: plan(
        {
          id: 'print',
          description: 'Print it',
          dependsOn: ['left', 'right'],
          step: {
            loop: {
              generator: { action: 'does', with: { name: 'draft', value: { of: '{{ state.results.left }}' } } },
              evaluator: { type: 'schema', schema: { type: 'object', properties: { of: { const: 'left' } } } },
            },
          },
        },
        task('fetch'),
        {
          ...task('left', { dependsOn: ['fetch'] }),
          step: { action: 'meets', with: { name: 'left', other: 'right' } },
        },
        {
          ...task('right', { dependsOn: ['fetch'] }),
          step: { action: 'meets', with: { name: 'right', other: 'left' } },
        },
      ),
    });
    expect(result).toMatchObject({ success: true, replans: 0, patterns: [], tokenUsage: { modelCalls: 0 } });
    expect(result.results.map(({ taskId, success, output }) => [taskId, success, output])).toEqual([
      ['print', true, { of: 'left' }],
      ['fetch', true, 'fetch is done'],
      ['left', true, 'left'],
      ['right', true, 'right'],
    ]);
    expect(names()).toEqual(['fetch', 'draft']);
    expect(ran[0]!.results).toEqual({});
    expect(result.evaluations.map(({ taskId, planId, success }) => [taskId ?? planId, success])).toEqual([
      ['fetch', true],
      expect.arrayContaining([true]),
      expect.arrayContaining([true]),
      ['print', true],
      ['first', true],
    ]);
    expect(result.insights.join()).toContain('this plan worked');
    expect(prompts()).toEqual([]);
  });

  test('after a failure that needs a new plan, one is made, and successful tasks do not run again', async () => {
    const better = {
      tasks: [task('fetch'), task('search', { dependsOn: ['fetch'] }), task('print', { dependsOn: ['search'] })],
    };
    const result = await run({
      ...byRules,
      planner: { action: 'plans', with: { plans: [{}, better] as never } },
      plan: plan(
        task('fetch'),
        task('open', { dependsOn: ['fetch'], error: 'no such file: x' }),
        task('print', { dependsOn: ['open'] }),
      ),
    });
    expect(result).toMatchObject({ success: true, replans: 1, plan: { id: 'plan-2' } });
    expect(names()).toEqual(['fetch', 'open', 'plan 2', 'search', 'print']);
    expect(ran[2]!.results).toMatchObject({ success: false, shouldReplan: true });
    expect(result.evaluations.map(({ taskId, planId }) => taskId ?? planId)).toEqual([
      'fetch',
      'open',
      'first',
      'search',
      'print',
      'plan-2',
    ]);
    expect(result.patterns.map(({ patternType }) => patternType)).toEqual(['low_success_rate']);
    expect(result.insights.join('\n')).toMatch(/"Do open" failed \(not_found\): no such file: x/);
  });

  test.each([
    [undefined, 'Timeout at the mirror', 2],
    [0, 'Timeout at the mirror', 0],
    [1, 'Timeout at the mirror', 1],
    [2, 'Access denied', 0],
  ])('with at most %s further plans, "%s" leads to %i', async (maxReplanningAttempts, error, replans) => {
    const result = await run({
      ...byRules,
      planner: { action: 'plans', with: { plans: [{ tasks: [task('again', { error })] }] as never } },
      plan: plan(task('once', { error })),
      ...(maxReplanningAttempts === undefined ? {} : { maxReplanningAttempts }),
    });
    expect(result).toMatchObject({ success: false, replans });
    expect(names().filter((name) => !name.startsWith('plan'))).toHaveLength(1 + replans);
  });

  test('loops of a plan use its model unless they name one', async () => {
    script = ['a', 'b', 'c'].map((reply) => ({ reply: `${reply} {"x": 1}` }));
    const loop = (name: string, more: object = {}) => ({
      loop: {
        generator: { action: 'llm.call', prompt: name },
        evaluator: { type: 'schema', schema: { type: 'object' } },
        ...more,
      },
    });
    const result = await run({
      ...byRules,
      model: 'second',
      plan: plan(
        task('step', { step: { action: 'llm.call', prompt: 'Alone' } }),
        task('loop', { step: loop('Of the plan') as Task['step'], dependsOn: ['step'] }),
        task('own', { step: loop('Of its own', { model: 'm' }) as Task['step'], dependsOn: ['loop'] }),
      ),
    });
    expect(result.success).toBe(true);
    const models = requestsOf(scripted.ledger)
      .slice(asked)
      .map(({ body }) => body!.model);
    expect(models).toEqual(['second', 'second', 'm']);
  });

  test('without reflection, nothing is judged, replanned or stored, and no model is called', async () => {
    const failing = plan(task('a', { error: 'Timeout' }), task('b', { dependsOn: ['a'] }), task('c'));
    const result = await run({ goal: 'Try', plan: failing, enableReflection: false, memory: { agent: 'nobody' } });
    expect(result).toMatchObject({ success: false, replans: 0, evaluations: [], patterns: [], insights: [] });
    expect(result.results.map(({ taskId, success }) => [taskId, success])).toEqual([
      ['a', false],
      ['c', true],
    ]);
    expect(prompts()).toEqual([]);
    expect(await memory.list({ tenant: 'default', agent: 'nobody', limit: 9 })).toEqual([]);
  });

  test('the model plans, gets the problems of an invalid plan, and suggests improvements', async () => {
    const good = { tasks: [task('one'), task('two', { dependsOn: ['one'] })] };
    script = [
      {
        match: 'reach the goal',
        reply: { tasks: [{ ...task('one'), step: { action: 'nobody' } }, task('two', { dependsOn: ['three'] })] },
      },
      { match: 'Its mistakes:', reply: `Here it is:\n${JSON.stringify(good)}` },
      { match: 'look back at a plan', reply: '- Print in colour' },
    ];
    const result = await run({ goal: 'Two things' });
    expect(result).toMatchObject({ success: true, plan: { id: 'plan-1' }, tokenUsage: { modelCalls: 3 } });
    expect(prompts()[0]).toMatch(/"name": "does",\s+"description": "Gives a value/);
    expect(prompts()[1]).toMatch(/there is no task \\?"three/);
    expect(prompts()[1]).toMatch(/nobody\\?" is not registered/);
    expect(result.evaluations.at(-1)!.suggestions).toEqual(['Print in colour']);
  });

  test('insights of a run are in the planner’s prompt of the next run, and are stored once', async () => {
    const spec: PlanSpec = { ...byRules, memory: { agent: 'ada' }, maxReplanningAttempts: 0 };
    const first = await run({ ...spec, plan: plan(task('post', { error: 'no such file: report.pdf' })) });
    expect(first.success).toBe(false);
    const kept = await memory.list({ tenant: 'default', agent: 'ada', limit: 50 });
    expect(kept.map(({ text }) => text).sort((a, b) => (a < b ? -1 : 1))).toEqual(
      [...first.insights].sort((a, b) => (a < b ? -1 : 1)),
    );
    expect(kept[0]).toMatchObject({ type: 'plan', source: 'episode', tags: ['failure'], provenance: { iteration: 1 } });
    script = [
      { match: 'no such file: report.pdf', reply: { tasks: [task('write'), task('post', { dependsOn: ['write'] })] } },
    ];
    const second = await run({ ...spec, planner: { action: 'llm.call', prompt: 'You plan for ada.' } });
    expect(second).toMatchObject({ success: true, replans: 0 });
    expect(prompts()[0]).toMatch(/^You plan for ada\.[^]*"learnedBefore"[^]*no such file: report\.pdf/);
  });

  test('the example: a plan that fails succeeds when it is run again, because of what the first run stored', async () => {
    const agent = `press-${randomUUID()}`;
    const [first, second] = await planAndLearn(world.client, publication('report.pdf', agent));
    expect(first).toMatchObject({ success: false, replans: 0, results: [{ taskId: 'send', success: false }] });
    expect(second).toMatchObject({ success: true, results: [{ taskId: 'write' }, { output: 'report.pdf is sent' }] });
    // Another agent's memory is empty, so its first run fails the same way.
    const [other] = await planAndLearn(world.client, publication('other.pdf', `${agent}-b`));
    expect(other.success).toBe(false);
  });

  test('a spec with mistakes is refused at once, with all of them', async () => {
    const wrong = {
      goal: '',
      speed: 1,
      criteria: { minSuccessRate: 2 },
      planner: { action: 'nobody' },
      plan: plan(task('a', { dependsOn: ['b'] }), task('b', { dependsOn: ['a'] }), {
        ...task('c'),
        step: { loop: { generator: { action: 'nobody' }, evaluator: { type: 'magic' } } },
      } as never),
    };
    const handle = await start(wrong);
    const refused = await failure(handle.result());
    expect(refused.type).toBe('InvalidSpec');
    expect((refused.details[0] as { path: string }[]).map(({ path }) => path)).toEqual(
      expect.arrayContaining([
        '/goal',
        '/speed',
        '/criteria/minSuccessRate',
        '/planner/action',
        '/plan/tasks/2/step/loop/generator/action',
      ]),
    );
    const circle = await start({
      goal: 'x',
      plan: plan(task('a', { dependsOn: ['b'] }), task('b', { dependsOn: ['a'] })),
    });
    expect(await failure(circle.result())).toMatchObject({
      type: 'InvalidSpec',
      details: [[{ path: '/plan/tasks/0/dependsOn', message: 'waits for itself: a, b depend on each other' }]],
    });
    const loop = { generator: { action: 'nobody' }, evaluator: { type: 'schema', schema: true } };
    const long = await start(
      { goal: 'x', plan: plan({ ...task('a'.repeat(20)), step: { loop } } as never) },
      'p'.repeat(940),
    );
    const tooLong = (await failure(long.result())).details[0] as { path: string; message: string }[];
    expect(tooLong).toContainEqual({ path: '/plan/tasks/0/id', message: expect.stringMatching(/too long/) });
    await expect(world.client.plans.run(wrong as never)).rejects.toMatchObject({ type: 'InvalidSpec' });
    expect(ran).toEqual([]);
  });
});
