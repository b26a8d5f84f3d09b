import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { DevServer } from '../../src/apps/server';
import type { RunFailedError } from '../../src/loop/errors/errors';
import type { PlanRunResult } from '../../src/kinds/plan/contract/plan-results';
import type { PlanSpec, Task } from '../../src/kinds/plan/contract/plan';
import { ReflectionClient } from '../../src/client';
import { closeStorage, dataConverterFrom } from '../../src/lib/storage';
import { defineAction } from '../../src/worker';
import { chainOf } from '../../src/calls/chain';
import { type LoopWorld, startWorld } from '../../testing/support/loop-world';
import { startPrivateServer } from '../../testing/support/temporal-server';

/** Names of what ran. */
const ran: string[] = [];

const actions = [
  defineAction({
    name: 'does',
    description: 'Gives a value, or fails with an error.',
    input: z.object({ name: z.string(), error: z.string().optional(), value: z.json().optional() }),
    run: ({ name, error, value = `${name} is done` }) => {
      ran.push(name);
      if (error !== undefined) throw new Error(error);
      return value;
    },
  }),
  defineAction({
    name: 'plans',
    description: 'Gives the plan of an attempt.',
    input: z.object({ plans: z.array(z.json()) }),
    run: ({ plans }, { iteration }) => {
      ran.push(`plan ${iteration}`);
      return plans[iteration - 1]!;
    },
  }),
];

const fills = defineAction({
  name: 'fills',
  description: 'Gives nearly as much as fits into a history at once.',
  input: z.object({}),
  needs: [],
  run: () => 'x'.repeat(1_800_000),
});

const fillsLate = defineAction({
  name: 'fillsLate',
  description: 'The same, when others have long been done.',
  input: z.object({}),
  needs: [],
  run: async (_input, { signal }) => {
    await sleep(4_000, undefined, { signal });
    return 'x'.repeat(1_800_000);
  },
});

const passes = defineAction({
  name: 'passes',
  description: 'Needs nothing of what was made before.',
  input: z.object({}),
  needs: [],
  run: () => 'passed',
});

const does = (name: string, more: object = {}) => ({ action: 'does', with: { name, ...more } });
const task = (id: string, more: Partial<Task> = {}): Task => ({ id, description: `Do ${id}`, step: does(id), ...more });
/** Tasks that run one after the other. */
const line = (prefix: string, length: number): Task[] =>
  Array.from({ length }, (_, index) =>
    task(`${prefix}${index}`, index === 0 ? {} : { dependsOn: [`${prefix}${index - 1}`] }),
  );

describe('plans that go on in a new run', () => {
  let server: DevServer;
  let world: LoopWorld;
  beforeAll(async () => {
    // A server that suggests a new run after few events.
    server = await startPrivateServer({ settings: ['limit.historyCount.suggestContinueAsNew=40'] });
    world = await startWorld({
      actions: [...actions, fills, fillsLate, passes],
      address: server.address,
      memory: false,
    });
  }, 60_000);
  afterAll(async () => {
    await world?.close();
    await server?.stop();
  });
  beforeEach(() => {
    ran.length = 0;
  });

  const byRules = { goal: 'Go far', enableLlmReflection: false };
  async function runThrough(spec: PlanSpec) {
    const { workflowId, result } = await world.client.plans.start(spec);
    const ended = await result();
    return {
      workflowId,
      result: ended,
      runs: await chainOf(world.client, { method: 'planResult', run: workflowId }, {}),
    };
  }

  test('a long plan is a chain of short runs that behaves as one: each task runs once, and sees those before it', async () => {
    const loop = task('loop', {
      dependsOn: ['a11'],
      step: {
        loop: {
          generator: { action: 'does', with: { name: 'draft', value: { from: '{{ state.results.a2 }}' } } },
          evaluator: { type: 'schema', schema: { properties: { from: { const: 'a2 is done' } } } },
        },
      },
    });
    const lost = task('lost', { step: does('lost', { error: 'Timeout at the mirror' }) });
    const again = [...line('b', 8), task('end', { dependsOn: ['b7', 'loop', 'a3'] })];
    const { workflowId, result, runs } = await runThrough({
      ...byRules,
      plan: { id: 'first', tasks: [...line('a', 12), loop, lost, task('never', { dependsOn: ['lost'] })] },
      planner: { action: 'plans', with: { plans: [null, { tasks: again }] as never } },
    });
    expect(runs.length).toBeGreaterThan(2);
    expect(result).toMatchObject({ success: true, replans: 1, plan: { id: 'plan-2' } });
    expect([...ran].sort()).toEqual(
      [...line('a', 12), ...line('b', 8)]
        .map(({ id }) => id)
        .concat('draft', 'end', 'lost', 'plan 2')
        .sort(),
    );
    const ofFirst = result.evaluations.findIndex(({ planId }) => planId === 'first');
    expect(
      result.evaluations
        .slice(0, ofFirst)
        .map(({ taskId }) => taskId!)
        .sort(),
    ).toEqual([...line('a', 12).map(({ id }) => id), 'loop', 'lost'].sort());
    expect(result.evaluations[ofFirst]).toMatchObject({
      success: false,
      issues: expect.arrayContaining(['task "never" was not completed']),
    });
    expect(result.results.map(({ output }) => output)).toEqual(again.map(({ id }) => `${id} is done`));
    expect(await world.client.plans.result(workflowId)).toEqual(result);
    expect(await world.client.plans.progress(workflowId)).toMatchObject({ phase: 'done', attempt: 2 });
    for (const runId of runs) {
      const { raw } = await world.client.temporal.workflow.getHandle(workflowId, runId).describe();
      expect(Number(raw.workflowExecutionInfo!.historyLength)).toBeLessThan(90);
    }
  }, 60_000);

  test('no task is left behind: those side by side end in the run that started them', async () => {
    const wide = Array.from({ length: 30 }, (_, index) => task(`w${index}`));
    const { result, runs } = await runThrough({
      ...byRules,
      plan: { id: 'wide', tasks: [...wide, task('after', { dependsOn: wide.map(({ id }) => id) })] },
    });
    expect(result.success).toBe(true);
    expect(ran.toSorted()).toEqual([...wide.map(({ id }) => id), 'after'].sort());
    expect(runs).toHaveLength(2);
  }, 60_000);

  test('a long pipeline is a chain of short runs that behaves as one', async () => {
    const nodes = Array.from({ length: 20 }, (_, index) => ({
      name: `n${index}`,
      action: 'does',
      with: { name: `n${index}`, value: `{{ state.${index === 0 ? '' : `o${index - 1} }}{{ state.`}given }}` },
      output: `o${index}`,
    }));
    const { workflowId } = await world.client.pipelines.start({ nodes, state: { given: 'a' } });
    const result = await world.client.pipelines.result(workflowId);
    expect(result.state).toMatchObject({ o0: 'a', o1: 'aa', o19: 'a'.repeat(20) });
    expect([ran, result.nodes.map(({ name }) => name)]).toEqual([nodes.map(({ name }) => name), ran]);
    expect((await chainOf(world.client, { method: 'pipelineResult', run: workflowId }, {})).length).toBeGreaterThan(1);
    const told = await world.client.pipelines.progress(workflowId);
    expect([told.phase, new Set(told.nodes.map(({ status }) => status))]).toEqual(['done', new Set(['done'])]);
  }, 60_000);

  test('results that come while a new run should take over, and fit into none, keep the plan in the run that it is in', async () => {
    const late = ['x', 'y'].map((id) => task(id, { step: { action: 'fillsLate', with: {} } }));
    const small = line('s', 12).map((each) => ({ ...each, step: { action: 'passes', with: {} } }));
    const { result, runs, workflowId } = await runThrough({
      ...byRules,
      plan: { id: 'late', tasks: [...late, ...small] },
    });
    expect(result.success).toBe(true);
    expect(result.results).toHaveLength(14);
    expect(runs).toHaveLength(1);
    const { events = [] } = await world.client.temporal.workflow.getHandle(workflowId).fetchHistory();
    expect(events!.filter((event) => event.workflowTaskFailedEventAttributes)).toEqual([]);
  }, 60_000);

  test('a plan whose results fit into no new run ends with words and with what was done, before the server ends it', async () => {
    const wide = Array.from({ length: 25 }, (_, index) => task(`w${index}`, { step: { action: 'fills', with: {} } }));
    const ids = wide.map(({ id }) => id);
    // What comes while a workflow task is under way is counted by the server after the next one: one more task may begin.
    const tasks = [...wide, task('perhaps', { dependsOn: ids }), task('after', { dependsOn: ['perhaps'] })];
    const { workflowId, result } = await world.client.plans.start({ ...byRules, plan: { id: 'large', tasks } });
    const failure = await result().catch((error: unknown) => error as RunFailedError);
    expect(failure).toMatchObject({
      type: 'OutputTooLarge',
      message: expect.stringMatching(
        /history is full.* 2[56] of 27 tasks succeeded; .*hand back less.*REFLECT_STORAGE/,
      ),
      details: [{ step: 'plan' }, { success: false, plan: { id: 'large' }, replans: 0 }],
    });
    const { results } = (failure as RunFailedError).details[1] as PlanRunResult;
    expect(results.slice(0, 25).map(({ taskId, success }) => success && taskId)).toEqual(ids);
    expect(results[0]!.output).toBe('(1800002 bytes of output are left out)');
    expect(ran).not.toContain('after');
    const told = await world.client.plans.progress(workflowId);
    expect(told.phase).toBe('running');
    expect(told.tasks.map(({ status }) => status)).toEqual([
      ...ids.map(() => 'succeeded'),
      expect.stringMatching(/succeeded|waiting/),
      'waiting',
    ]);
  }, 60_000);

  test('with storage outside of histories, results of any size go on in a new run', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'reflect-plans-'));
    const dataConverter = dataConverterFrom({ REFLECT_STORAGE: `folder:${folder}` })!;
    const place = { address: server.address, taskQueue: `stored-${randomUUID()}`, dataConverter };
    const stored = await startWorld({ ...place, actions: [...actions, fills], memory: false });
    const client = await ReflectionClient.connect(place);
    try {
      const large = ['x', 'y'].map((id) => task(id, { step: { action: 'fills', with: {} } }));
      const small = line('s', 12).map((each, index) => (index === 0 ? { ...each, dependsOn: ['x', 'y'] } : each));
      const { workflowId, result } = await client.plans.start({
        ...byRules,
        plan: { id: 'stored', tasks: [...large, ...small] },
      });
      const { success, results } = await result();
      expect(success).toBe(true);
      expect(results.slice(0, 2).map(({ output }) => (output as string).length)).toEqual([1_800_000, 1_800_000]);
      expect((await chainOf(client, { method: 'planResult', run: workflowId }, {})).length).toBeGreaterThan(1);
    } finally {
      await client.close();
      await stored.close();
      await closeStorage(dataConverter);
      await rm(folder, { recursive: true, force: true });
    }
  }, 60_000);
});
