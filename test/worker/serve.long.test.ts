import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import type { ReflectionSpec } from '../../src/loop/contract/spec';
import { serveFrom, type TemporalOptions } from '../../src/worker';
import { startPluginWorld } from '../plugin/plugin-world';
import { requestsOf } from '../../src/apps/testing/scripted-model/ledger';
import type { LedgerEntry } from '../../src/apps/testing/scripted-model/script';
import { ScriptedOpenAI } from '../../src/apps/testing/scripted-model/server';
import { eventually } from '../../testing/support/eventually';
import { type LoopWorld, startWorld } from '../../testing/support/loop-world';

jest.setTimeout(60_000);

const spec: ReflectionSpec = {
  generator: { action: 'llm.call', prompt: 'Write.' },
  evaluator: { type: 'schema', schema: { type: 'object', required: ['done'] } },
};

/** Calls at the same time, at most. */
function mostTogether(ledger: readonly LedgerEntry[]): number {
  let now = 0;
  return ledger.reduce((most, { kind }) => {
    if (kind === 'request') now += 1;
    if (kind === 'answer') now -= 1;
    return Math.max(most, now);
  }, 0);
}

const slots = (count: number) => ({ type: 'fixed-size' as const, numSlots: count });
const oneCall = {
  workflowTaskSlotSupplier: slots(10),
  activityTaskSlotSupplier: slots(1),
  localActivityTaskSlotSupplier: slots(10),
  nexusTaskSlotSupplier: slots(1),
};

describe('what a worker serves', () => {
  let model: ScriptedOpenAI;
  const open: { close(): Promise<void> }[] = [];
  const models = () => [{ name: 'scripted', model: 'scripted-1', baseUrl: model.baseUrl }];
  beforeEach(async () => {
    model = await ScriptedOpenAI.start({ script: [{ reply: { done: true }, delayMs: 300, times: 'always' }] });
  });
  afterEach(async () => {
    for (const world of open.splice(0)) await world.close();
    await model.close();
  });
  async function start(options: Parameters<typeof startWorld>[0]): Promise<LoopWorld> {
    const world = await startWorld({ models: models(), ...options });
    open.push(world);
    return world;
  }

  test('loops here, models there: calls wait for a worker that makes them, also with the profile fast', async () => {
    const loops = await start({ serve: 'loops', recovery: 'fast' });
    const { workflowId } = await loops.client.start(spec);
    await eventually(
      async () => (await loops.client.temporal.workflow.getHandle(workflowId).describe()).raw.pendingActivities,
      (pending) => pending?.length === 1,
    );
    expect(requestsOf(model.ledger)).toHaveLength(0);
    const calls = await start({ serve: 'models', recovery: 'fast', taskQueue: loops.client.taskQueue });
    expect(await calls.worker.readiness()).toEqual({ ready: true });
    expect(await loops.client.result(workflowId)).toMatchObject({ success: true });
    expect(requestsOf(model.ledger)).toHaveLength(1);
  });

  test('a worker of models takes no runs', async () => {
    const { client } = await start({ serve: 'models' });
    const { workflowId } = await client.start(spec);
    const request = { taskQueue: { name: client.taskQueue }, taskQueueType: 1, namespace: 'default' };
    const { pollers } = await client.temporal.connection.workflowService.describeTaskQueue(request);
    expect(pollers).toEqual([]);
    const { historyLength } = await client.temporal.workflow.getHandle(workflowId).describe();
    expect(historyLength).toBe(2);
    await client.temporal.workflow.getHandle(workflowId).terminate();
  });

  test('identity, interceptors, cache size, pollers and tuners reach the workers that they are for', async () => {
    const seen: string[] = [];
    const watch =
      (where: string): ActivityInterceptorsFactory =>
      ({ info }) => ({
        inbound: {
          execute: (input, next) => {
            seen.push(`${where} ${info.activityType}`);
            return next(input);
          },
        },
      });
    const temporal: TemporalOptions = {
      loops: { identity: 'ours', maxCachedWorkflows: 5, interceptors: { activity: [watch('loops')] } },
      models: {
        identity: 'ours-models',
        tuner: oneCall,
        activityTaskPollerBehavior: { type: 'autoscaling' },
        interceptors: { activity: [watch('models')] },
      },
    };
    const { client } = await start({ temporal });
    const runs = await Promise.all([1, 2, 3].map(() => client.start(spec)));
    for (const { workflowId } of runs) expect(await client.result(workflowId)).toMatchObject({ success: true });
    expect(mostTogether(model.ledger)).toBe(1);
    expect(seen).toContain('models reflection.generate');
    expect(seen).toContain('loops reflection.prepare');
    const { events } = await client.temporal.workflow.getHandle(runs[0]!.workflowId).fetchHistory();
    const identities = events!.flatMap(
      ({ activityTaskStartedEventAttributes: call, workflowTaskStartedEventAttributes: task }) =>
        [call?.identity, task?.identity].filter((identity) => identity != null),
    );
    expect(new Set(identities)).toEqual(new Set(['ours', 'ours-models']));
  });

  test('the plugin gives them to its own worker of model calls', async () => {
    const world = await startPluginWorld({ models: models(), temporal: { models: { tuner: oneCall } } });
    open.push(world);
    const runs = await Promise.all([1, 2, 3].map(() => world.client.start(spec)));
    for (const { workflowId } of runs) expect(await world.client.result(workflowId)).toMatchObject({ success: true });
    expect(mostTogether(model.ledger)).toBe(1);
  });

  test('what there is not to serve is an error', async () => {
    expect(serveFrom(undefined)).toBe('both');
    expect(serveFrom('')).toBe('both');
    expect(() => serveFrom('judges')).toThrow('there is no "judges" to serve; there are loops, models, both');
    await expect(startWorld({ serve: 'judges' as 'both' })).rejects.toThrow('no "judges" to serve');
  });
});
