import { randomUUID } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import { z } from 'zod';
import { ReflectionClient } from '../../../src/client';
import type { Json } from '../../../src/lib/json/json';
import type { ReflectionSpec } from '../../../src/loop/contract/spec';
import { defineAction } from '../../../src/worker';
import { eventually } from '../../../testing/support/eventually';
import { startWorld } from '../../../testing/support/loop-world';
import { pageOf } from '../../../testing/support/page-of';
import { testAddress } from '../../../testing/support/temporal-server';

/** What a server takes for one run. */
const SIGNALS = 10_000;
const SIDE_BY_SIDE = 200;

const writes = defineAction({
  name: 'writes',
  description: 'Writes what does not pass.',
  input: z.unknown(),
  run: () => ({ text: 'x'.repeat(50_000) }),
});

const spec: ReflectionSpec = {
  generator: { action: 'writes' },
  evaluator: { type: 'schema', schema: { type: 'object', required: ['done'] } },
  maxIterations: 5,
  review: { when: 'every_iteration' },
};

interface Sent {
  name: string;
  payload?: Json;
  encoding?: string;
}

const deep = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;

/** What people, programs and attackers send, one after the other. Nothing of it ends a run. */
const KINDS: readonly ((index: number) => Sent)[] = [
  (index) => ({ name: 'accept', payload: { id: `accept ${index}`, iteration: 40, by: 'early' } }),
  (index) => ({ name: 'guide', payload: { text: 'y', id: `guide ${index}` } }),
  () => ({ name: 'extend', payload: { iterations: 1, by: 'owner' } }),
  (index) => ({ name: `beat-${index}`, payload: { index } }),
  () => ({ name: 'override', payload: { nonsense: true } }),
  () => ({ name: 'guide', payload: { text: 'z'.repeat(20_000) } }),
  (index) => ({ name: 'decide', payload: { iteration: 1, decision: 'auto', nothing: index } }),
  () => ({ name: 'reflect', encoding: 'binary/odd', payload: 'x' }),
  () => ({ name: 'guide', encoding: 'json/plain-raw', payload: deep(2_000) }),
  (index) => ({ name: '__temporal_mine', payload: index }),
];

describe(`${SIGNALS} signals that come while no worker is there`, () => {
  let connection: Connection;
  beforeAll(async () => {
    connection = await Connection.connect({ address: testAddress() });
  });
  afterAll(() => connection.close());

  async function send(workflowId: string, { name, payload = null, encoding }: Sent): Promise<void> {
    const isRaw = encoding === 'json/plain-raw';
    const data = isRaw ? String(payload) : JSON.stringify(payload);
    const metadata = { encoding: Buffer.from(isRaw || encoding === undefined ? 'json/plain' : encoding) };
    await connection.workflowService.signalWorkflowExecution({
      namespace: 'default',
      workflowExecution: { workflowId },
      signalName: name,
      input: { payloads: [{ metadata, data: Buffer.from(data) }] },
      requestId: randomUUID(),
    });
  }

  async function sendAll(workflowId: string, signals: readonly Sent[]): Promise<void> {
    const left = [...signals];
    const sender = async (): Promise<void> => {
      for (let next = left.pop(); next; next = left.pop()) await send(workflowId, next);
    };
    await Promise.all(Array.from({ length: SIDE_BY_SIDE }, sender));
  }

  const mixed = (): Sent[] => Array.from({ length: SIGNALS }, (_, index) => KINDS[index % KINDS.length]!(index));

  /** Milliseconds that each workflow task took that was carried out. None may have failed. */
  async function tasksOf(workflowId: string): Promise<number[]> {
    const { events = [] } = await new Client({ connection }).workflow.getHandle(workflowId).fetchHistory();
    const at = new Map(
      events!.map((event) => [
        Number(event.eventId),
        Number(event.eventTime!.seconds) * 1_000 + event.eventTime!.nanos! / 1e6,
      ]),
    );
    const failed = events!.filter(
      ({ workflowTaskFailedEventAttributes: wrong, workflowTaskTimedOutEventAttributes: late }) =>
        // A task that was kept for the worker that has gone is given to another one after a while.
        wrong ?? (late && Number(late.startedEventId) > 0 ? late : undefined),
    );
    expect(failed).toEqual([]);
    return events!.flatMap(({ eventId, workflowTaskCompletedEventAttributes: completed }) =>
      completed ? [at.get(Number(eventId))! - at.get(Number(completed.startedEventId))!] : [],
    );
  }

  const clientOf = (taskQueue: string) => new ReflectionClient(new Client({ connection }), taskQueue);

  test('before its first task: a loop takes them in one task, and is aborted', async () => {
    const taskQueue = `bulk-${randomUUID()}`;
    const client = clientOf(taskQueue);
    const { workflowId } = await client.start(spec);
    await sendAll(workflowId, mixed());
    const world = await startWorld({ taskQueue, actions: [writes] });
    try {
      await client.abort(workflowId, { by: 'operator' });
      const { convergenceReason, history } = await client.result(workflowId);
      expect(convergenceReason).toBe('aborted');
      const tasks = await tasksOf(workflowId);

      expect(Math.max(...tasks)).toBeLessThan(5_000);
      const refused = history.people.filter(({ applied }) => !applied);
      expect(refused.some(({ more = 0 }) => more > 1_000)).toBe(true);
    } finally {
      await world.close();
    }
  }, 300_000);

  test('while it waits for a person: the next worker takes them in one task, and abort is acknowledged', async () => {
    const taskQueue = `bulk-${randomUUID()}`;
    const client = clientOf(taskQueue);
    const before = await startWorld({ taskQueue, actions: [writes] });
    const { workflowId } = await client.start(spec);
    await eventually(
      () => client.progress(workflowId),
      ({ phase }) => phase === 'waiting',
    );
    await before.close();
    await sendAll(workflowId, mixed());
    const world = await startWorld({ taskQueue, actions: [writes] });
    try {
      await client.abort(workflowId, { by: 'operator' });

      const { convergenceReason } = await client.result(workflowId);
      expect(convergenceReason).toBe('aborted');
      const tasks = await tasksOf(workflowId);

      expect(Math.max(...tasks)).toBeLessThan(5_000);
    } finally {
      await world.close();
    }
  }, 300_000);

  test('a population takes what it can, and goes on', async () => {
    const taskQueue = `bulk-${randomUUID()}`;
    const agents = Array.from({ length: 5 }, (_, index) => ({ id: `a${index}`, type: 'household_owner' }));
    const temporal = new Client({ connection });
    const handle = await temporal.workflow.start('agentReflection', {
      taskQueue,
      workflowId: `bulk-${randomUUID()}`,
      args: [{ agents, config: { reflection: { method: 'template' } } }],
    });
    const context = { description: 'd'.repeat(150) };
    await sendAll(
      handle.workflowId,
      Array.from({ length: SIGNALS - 1 }, (_, index) =>
        index % 10 === 0
          ? { name: `beat-${index}` }
          : { name: 'trigger', payload: { id: `event ${index}`, kind: 'crisis', year: index, context } },
      ),
    );
    await send(handle.workflowId, { name: 'finish' });
    const world = await startWorld({ taskQueue });
    try {
      const report = (await handle.result()) as { counts: { events: number } };
      expect(report.counts.events).toBeGreaterThan(100);
      await tasksOf(handle.workflowId);
    } finally {
      await world.close();
    }
  }, 300_000);

  test('a pipeline and a plan note that there were some, and go on', async () => {
    const taskQueue = `bulk-${randomUUID()}`;
    const temporal = new Client({ connection });
    const start = (type: string, args: unknown[]) =>
      temporal.workflow.start(type, { taskQueue, workflowId: `bulk-${randomUUID()}`, args });
    const pipeline = await start('reflectionPipeline', [{ nodes: [{ name: 'one', action: 'writes', with: {} }] }]);
    const plan = await start('planReflection', [
      {
        goal: 'x',
        plan: { id: 'p', tasks: [{ id: 't', description: 'x', step: { action: 'writes' } }] },
        enableLlmReflection: false,
      },
    ]);
    const some = mixed().slice(0, SIGNALS / 2);
    await Promise.all([sendAll(pipeline.workflowId, some), sendAll(plan.workflowId, some)]);
    const world = await startWorld({ taskQueue, actions: [writes] });
    try {
      for (const run of [pipeline, plan]) {
        await run.result();
        await tasksOf(run.workflowId);

        expect(await pageOf(run)).toContain('takes no commands');
      }
    } finally {
      await world.close();
    }
  }, 300_000);
});
