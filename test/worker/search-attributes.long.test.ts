import { randomUUID } from 'node:crypto';
import { temporal } from '@temporalio/proto';
import { MockActivityEnvironment } from '@temporalio/testing';
import { NativeConnection } from '@temporalio/worker';
import { doctor } from '../../src/apps/cli/commands/doctor';
import { attributeGaps } from '../../src/lib/names/search-attributes';
import { ReflectionClient } from '../../src/client';
import { LATEST_RULES } from '../../src/loop/base/rules';
import type { Preparation } from '../../src/loop/state/loop-settings';
import { initialState } from '../../src/loop/state/loop-state';
import type { ReflectionSpec } from '../../src/loop/contract/spec';
import { createWorker, type ReflectionWorkerOptions } from '../../src/worker';
import { searchAttributeCheck } from '../../src/worker/search-attribute-check';
import { workerServices } from '../../src/worker/worker-services';
import { InProcess } from '../apps/cli/in-process';
import { eventually } from '../../testing/support/eventually';
import { startWorld } from '../../testing/support/loop-world';
import '../../testing/support/quiet';
import { testAddress } from '../../testing/support/temporal-server';

const { INDEXED_VALUE_TYPE_DOUBLE, INDEXED_VALUE_TYPE_INT, INDEXED_VALUE_TYPE_KEYWORD } =
  temporal.api.enums.v1.IndexedValueType;

const ours = {
  ReflectionStatus: INDEXED_VALUE_TYPE_KEYWORD,
  ReflectionIteration: INDEXED_VALUE_TYPE_INT,
  ReflectionBestScore: INDEXED_VALUE_TYPE_DOUBLE,
  ReflectionReason: INDEXED_VALUE_TYPE_KEYWORD,
};
const others = { ...ours, ReflectionIteration: INDEXED_VALUE_TYPE_KEYWORD };

test('what a namespace lacks: attributes that are not there, and those of another type', () => {
  expect(attributeGaps(ours)).toEqual({ missing: [], otherType: [] });
  expect(attributeGaps(others)).toEqual({ missing: [], otherType: ['ReflectionIteration'] });
  expect(attributeGaps({ ReflectionStatus: INDEXED_VALUE_TYPE_INT }).missing).toHaveLength(3);
  expect(attributeGaps(undefined).missing).toEqual(Object.keys(ours));
});

test('in a namespace where a search attribute has another type, runs work as without them, and doctor says so', async () => {
  const namespace = `other-types-${randomUUID()}`;
  const connection = await NativeConnection.connect({ address: testAddress() });
  const workflowExecutionRetentionPeriod = { seconds: 86_400 as never };
  await connection.workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod });
  await eventually(
    () =>
      connection.operatorService.addSearchAttributes({ namespace, searchAttributes: others }).then(
        () => true,
        () => false,
      ),
    (added) => added,
  );
  const place = { address: testAddress(), namespace, taskQueue: `other-types-${randomUUID()}` };
  const worker = await createWorker({ ...place, connection });
  const working = worker.run();
  const client = await ReflectionClient.connect(place);
  const terminal = new InProcess({ address: testAddress(), client });
  try {
    const generator = { action: 'validate.schema', with: { data: 1, schema: true } };
    const result = await client.run({ generator, evaluator: { type: 'schema', schema: true } });
    expect(result.convergenceReason).toBe('quality_met');
    const findings = await terminal.printed(() => doctor(place));
    expect(findings).toContain('✗ Search attributes of another type than ours: ReflectionIteration\n');
  } finally {
    terminal.close();
    await client.close();
    worker.shutdown();
    await working;
    await connection.close();
  }
}, 60_000);

/** A namespace of a test's own, with our search attributes or without. */
async function ownNamespace(connection: NativeConnection, searchAttributes: Record<string, number>): Promise<string> {
  const namespace = `listed-${randomUUID()}`;
  const workflowExecutionRetentionPeriod = { seconds: 86_400 as never };
  await connection.workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod });
  if (Object.keys(searchAttributes).length === 0) return namespace;
  await eventually(
    () =>
      connection.operatorService.addSearchAttributes({ namespace, searchAttributes }).then(
        () => true,
        () => false,
      ),
    (added) => added,
  );
  return namespace;
}

test('that the namespace has them is believed for a minute, and not for ever', async () => {
  const connection = await NativeConnection.connect({ address: testAddress() });
  const namespace = await ownNamespace(connection, ours);
  let minutes = 0;
  const check = searchAttributeCheck(
    () => connection,
    namespace,
    () => minutes * 60_000,
  );
  await eventually(check, (isThere) => isThere);
  await connection.operatorService.removeSearchAttributes({ namespace, searchAttributes: ['ReflectionReason'] });
  expect(await check()).toBe(true);
  minutes = 1;
  await eventually(check, (isThere) => !isThere);
  await connection.close();
}, 60_000);

const failing: ReflectionSpec = {
  generator: { action: 'validate.schema', with: { data: 1, schema: true } },
  evaluator: { type: 'schema', schema: { type: 'string' }, coerce: false },
  maxIterations: 3,
  convergence: false,
};

/** How often a run changed what the run list says of it; the mark of its rules, which every run begins with, says nothing there. */
function changesOfRunList(events: readonly temporal.api.history.v1.IHistoryEvent[]): number {
  return events.filter(({ upsertWorkflowSearchAttributesEventAttributes: changed }) => {
    const names = Object.keys(changed?.searchAttributes?.indexedFields ?? {});
    return names.some((name) => name !== 'TemporalChangeVersion');
  }).length;
}

test('the run list changes at the start and at the end, and with each version where that is asked for', async () => {
  const startByHand = async (client: ReflectionClient): Promise<{ workflowId: string }> =>
    client.temporal.workflow.start('reflectionLoop', {
      taskQueue: client.taskQueue,
      workflowId: randomUUID(),
      args: [failing],
    });
  const changes = async (
    options: ReflectionWorkerOptions,
    start = (client: ReflectionClient): Promise<{ workflowId: string }> => client.start(failing),
  ) => {
    const world = await startWorld(options);
    const { workflowId } = await start(world.client);
    expect(await world.client.result(workflowId)).toMatchObject({ iterationsUsed: 3 });
    const { events } = await world.client.temporal.workflow.getHandle(workflowId).fetchHistory();
    await world.close();
    return changesOfRunList(events!);
  };
  expect(await changes({}, startByHand)).toBe(2);
  // What a run begins with, our client says along with the start.
  expect(await changes({})).toBe(1);
  expect(await changes({ runList: 'each_version' })).toBe(3);
}, 60_000);

test('a wait for a person costs two changes more, when it begins and when the run goes on, and one where it ends the run', async () => {
  const world = await startWorld();
  const review = { when: 'every_iteration' as const };
  /** A run that waits after each of its iterations. */
  const changesOf = async (waits: number, byHand = false): Promise<number> => {
    const spec: ReflectionSpec = waits === 0 ? failing : { ...failing, maxIterations: waits, review };
    const { taskQueue, temporal: client } = world.client;
    const workflowId = `waits-${randomUUID()}`;
    if (byHand) await client.workflow.start('reflectionLoop', { taskQueue, workflowId, args: [spec] });
    else await world.client.start(spec, { workflowId });
    for (let wait = 1; wait <= waits; wait += 1) {
      const { iteration } = await eventually(
        () => world.client.progress(workflowId),
        ({ phase, iteration: at }) => phase === 'waiting' && at === wait,
      );
      await world.client.decide(workflowId, { iteration, decision: wait < waits ? 'continue' : 'stop' });
    }
    await world.client.result(workflowId);
    const { events } = await client.workflow.getHandle(workflowId).fetchHistory();
    return changesOfRunList(events!);
  };
  try {
    // The last wait ends with its run, which is one change.
    expect([await changesOf(0), await changesOf(1), await changesOf(3)]).toEqual([1, 2, 6]);
    // What our client says along with the start, a run that is started by hand sets itself.
    expect(await changesOf(2, true)).toBe(5);
  } finally {
    await world.close();
  }
}, 60_000);

test('where the namespace does not have them, our client starts all kinds of runs without', async () => {
  const connection = await NativeConnection.connect({ address: testAddress() });
  const namespace = await ownNamespace(connection, {});
  await connection.close();
  const client = await ReflectionClient.connect({ address: testAddress(), namespace, taskQueue: 'nobody' });
  const { workflowService } = client.temporal.connection;
  const starts = jest.spyOn(workflowService, 'startWorkflowExecution');
  const pipeline = { nodes: [{ name: 'one', action: 'validate.schema', with: { data: 1, schema: true } }] };
  const runs = [
    await client.start(failing),
    await client.pipelines.start(pipeline),
    await client.plans.start({ goal: 'Write.' }),
    await client.agents.start({ agents: [{ id: 'one', type: 'person' }] }),
  ];
  expect(new Set(runs.map(({ workflowId }) => workflowId)).size).toBe(4);
  // Refused once, and remembered.
  expect(starts).toHaveBeenCalledTimes(5);
  await client.close();
}, 60_000);

test('where the namespace does not have them, a start with a first command does without', async () => {
  const connection = await NativeConnection.connect({ address: testAddress() });
  const place = {
    address: testAddress(),
    namespace: await ownNamespace(connection, {}),
    taskQueue: `without-${randomUUID()}`,
  };
  const worker = await createWorker({ ...place, connection, drainMs: 0 });
  const working = worker.run();
  const client = await ReflectionClient.connect(place);
  try {
    const guide = { name: 'guide', payload: { text: 'so' } } as const;
    const { progress } = await client.startWithUpdate(failing, guide);
    expect(progress).toMatchObject({ phase: expect.any(String) });
  } finally {
    await client.close();
    worker.shutdown();
    await working;
    await connection.close();
  }
}, 60_000);

test('a run that was told long ago that they are there asks again, and is not held up where they are gone', async () => {
  const connection = await NativeConnection.connect({ address: testAddress() });
  const namespace = await ownNamespace(connection, {});
  const place = { address: testAddress(), namespace, taskQueue: `gone-${randomUUID()}` };
  const worker = await createWorker({ ...place, connection, drainMs: 0 });
  const working = worker.run();
  const client = await ReflectionClient.connect(place);
  const { activities } = workerServices(
    {},
    { searchAttributes: () => Promise.resolve(true), storage: undefined, heartbeats: () => ({}) },
  );
  const prepare = (): Promise<unknown> => activities['reflection.prepare']({ spec: failing });
  const prepared = (await new MockActivityEnvironment().run<[], unknown, () => Promise<unknown>>(prepare)) as {
    value: Preparation;
  };
  const preparation = prepared.value;
  expect(preparation.searchAttributes).toBe(true);
  const carried = {
    state: { ...initialState(Date.now()), rules: LATEST_RULES },
    preparation: { ...preparation, searchAttributesAt: 0 },
  };
  const handle = await client.temporal.workflow.start('reflectionLoop', {
    taskQueue: place.taskQueue,
    workflowId: `gone-${randomUUID()}`,
    args: [failing, carried],
  });
  try {
    expect(await handle.result()).toMatchObject({ iterationsUsed: 3 });
  } finally {
    await client.close();
    worker.shutdown();
    await working;
    await connection.close();
  }
}, 60_000);
