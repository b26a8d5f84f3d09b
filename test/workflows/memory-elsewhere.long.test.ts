import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Json } from '../../src/lib/json/json';
import { defineAction, openMemory, type ReflectionWorkerOptions } from '../../src/worker';
import { eventually } from '../../testing/support/eventually';
import { type LoopWorld, startWorld } from '../../testing/support/loop-world';

/** Set when the worker that began the runs is gone. */
let mayGoOn = false;

const holds = defineAction({
  name: 'holds',
  description: 'Gives a draft when the worker that checked the run is gone.',
  input: z.unknown(),
  run: async (_input, { signal, iteration }): Promise<Json> => {
    while (!mayGoOn) await sleep(20, undefined, { signal });
    return iteration === 1 ? { name: 'Ada' } : { name: 'Ada', age: 30 };
  },
});
const done = { type: 'schema' as const, schema: { type: 'object', required: ['name', 'age'] } };

describe('a memory that the worker at hand lacks, after another one has checked the run', () => {
  const agent = `agent-${randomUUID()}`;
  let folder: string;
  let memory: ReturnType<typeof openMemory>;
  const opened: LoopWorld[] = [];
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'reflect-elsewhere-'));
    memory = openMemory({ folder });
    // To open it for the first time may take longer than a run waits for it.
    await memory.recall({ tenant: 'default', agent, query: 'name', limit: 1 });
  }, 60_000);
  afterAll(async () => {
    await Promise.all(opened.map((world) => world.close()));
    await memory?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const open = async (options: ReflectionWorkerOptions): Promise<LoopWorld> => {
    const world = await startWorld({ recovery: 'fast', actions: [holds], ...options });
    opened.push(world);
    return world;
  };
  const close = async (world: LoopWorld): Promise<void> => {
    opened.splice(opened.indexOf(world), 1);
    await world.close();
  };
  const failureOf = async ({ client }: LoopWorld, workflowId: string) => {
    const { raw } = await client.temporal.workflow.getHandle(workflowId).describe();
    const failures = (raw.pendingActivities ?? []).map(({ activityType, lastFailure }) => ({
      activity: activityType?.name,
      type: lastFailure?.applicationFailureInfo?.type,
      message: lastFailure?.message,
    }));
    return failures.find(({ type }) => type === 'MemoryMissing');
  };

  test.each<[string, ReflectionWorkerOptions]>([
    ['without a memory', { memory: false }],
    ['that does not serve the agent', { allow: { agents: ['somebody-else'] } }],
  ])(
    'what a loop learned at a worker %s is kept by the next one',
    async (_what, lacking) => {
      mayGoOn = false;
      const whole = { memory, ...lacking };
      const first = await open({ memory });
      const { taskQueue } = first.client;
      const { workflowId } = await first.client.start({
        generator: { action: 'holds' },
        evaluator: done,
        memory: { agent },
      });
      await eventually(
        () => first.client.progress(workflowId),
        ({ phase }) => phase === 'generating',
        40_000,
      );
      await close(first);
      const lacks = await open({ ...whole, taskQueue });
      mayGoOn = true;
      const found = await eventually(
        () => failureOf(lacks, workflowId),
        (failure) => failure !== undefined,
        40_000,
      );
      expect(found).toMatchObject({
        activity: 'reflection.keepInsights',
        message: expect.stringMatching(/this worker.*\(the run was prepared where there is one\)/) as string,
      });
      await close(lacks);
      const has = await open({ memory, taskQueue });
      const { history, success } = await has.client.result(workflowId);
      expect([success, history.versions.flatMap(({ warnings }) => warnings)]).toEqual([true, []]);
      const kept = await memory.recall({ tenant: 'default', agent, query: 'name age', limit: 50 });
      expect(kept.filter(({ provenance }) => provenance.workflowId === workflowId).length).toBeGreaterThan(0);
    },
    120_000,
  );

  test('a population whose worker has no memory any more waits for one that has', async () => {
    const first = await open({ memory });
    const { taskQueue } = first.client;
    const { workflowId } = await first.client.agents.start({
      agents: [{ id: 'ada', type: 'household' }],
      config: { reflection: { method: 'template' } },
    });
    await first.client.agents.trigger(workflowId, { id: 'one', kind: 'crisis', year: 1 });
    await close(first);
    const lacks = await open({ memory: false, taskQueue });
    const answer = lacks.client.agents.trigger(workflowId, { id: 'two', kind: 'crisis', year: 2 }, { timeout: '90s' });
    answer.catch(() => undefined);
    const found = await eventually(
      () => failureOf(lacks, workflowId),
      (failure) => failure !== undefined,
      40_000,
    );
    expect(found).toMatchObject({ activity: 'reflection.reflectByTemplate' });
    const has = await open({ memory, taskQueue });
    await close(lacks);
    await has.client.agents.trigger(workflowId, { id: 'two', kind: 'crisis', year: 2 }, { timeout: '90s' });
    await has.client.agents.finish(workflowId);
    const { reflections } = await has.client.agents.result(workflowId);
    expect(reflections.map(({ year }) => year)).toEqual([1, 2]);
    const kept = await memory.recall({ tenant: 'default', agent: `${workflowId}/ada`, query: 'crisis', limit: 50 });
    expect(kept).toHaveLength(2);
  }, 120_000);
});
