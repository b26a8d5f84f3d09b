import { randomUUID } from 'node:crypto';
import { ReflectionClient } from '../../src/client';
import type { ReflectionSpec } from '../../src/domain/spec';
import type { ModelConfig } from '../../src/worker';
import { askedAbout, paidCalls, requestsOf } from '../scripted-openai/ledger';
import type { ScriptEntry } from '../scripted-openai/script';
import { ScriptedOpenAI, type ScriptedServerOptions } from '../scripted-openai/server';
import { eventually } from '../support/eventually';
import { type LoopWorld, startWorld } from '../support/loop-world';
import { killHard, startScript } from '../support/processes';
import { testAddress } from '../support/temporal-server';

const MODELS: ModelConfig[] = [{ name: 'slow', model: 'slow-1', background: true }];
const spec: ReflectionSpec = {
  generator: { action: 'llm.call', prompt: 'Write version one.' },
  evaluator: { type: 'schema', schema: { properties: { done: { const: true } } } },
};
/** The revision takes long enough for its id to reach the server in a heartbeat, and then some. */
const script: ScriptEntry[] = [
  { match: 'repair every point', reply: { done: true }, delayMs: 6_000 },
  { reply: { done: false } },
];

describe('D3 model calls in the background', () => {
  let model: ScriptedOpenAI;
  let world: LoopWorld | undefined;

  async function start(entries: ScriptEntry[], responses: ScriptedServerOptions['responses'] = 'background') {
    model = await ScriptedOpenAI.start({ script: entries, responses });
    process.env['OPENAI_BASE_URL'] = model.baseUrl;
    world = await startWorld({ models: MODELS });
    return world;
  }
  afterEach(async () => {
    await world?.close();
    world = undefined;
    delete process.env['OPENAI_BASE_URL'];
    await model.close();
  });

  const created = () => paidCalls(model.ledger).map(({ response }) => response);
  const cancelled = () => askedAbout(model.ledger, 'cancelled').map(({ response }) => response);
  const inProgress = (id: string) =>
    eventually(
      () => askedAbout(model.ledger, 'fetched').filter(({ response }) => response === id).length,
      (count) => count >= 3,
      20_000,
    );

  test('D3 kill -9 of the worker: the next one picks the reply up by its id, and nothing is paid for twice', async () => {
    model = await ScriptedOpenAI.start({ script, responses: 'background' });
    const taskQueue = `background-${randomUUID()}`;
    const startWorker = () =>
      startScript('test/support/worker-process.ts', {
        readyWhen: /ready/,
        env: {
          TEMPORAL_ADDRESS: testAddress(),
          REFLECT_TASK_QUEUE: taskQueue,
          OPENAI_BASE_URL: model.baseUrl,
          REFLECT_TEST_MODELS: JSON.stringify(MODELS),
        },
      });
    const client = await ReflectionClient.connect({ address: testAddress(), taskQueue });
    const first = await startWorker();
    const { workflowId } = await client.start(spec);
    // The third question comes two seconds after the id: by then a heartbeat has carried it.
    await inProgress('resp_scripted_2');
    await killHard(first);
    const killedAt = Date.now();
    const second = await startWorker();
    const result = await client.result(workflowId);
    expect(result).toMatchObject({ success: true, iterationsUsed: 2, tokenUsage: { modelCalls: 2 } });
    expect(created()).toEqual(['resp_scripted_1', 'resp_scripted_2']);
    const after = askedAbout(model.ledger, 'fetched').filter(({ at }) => at > killedAt);
    expect(after.map(({ response }) => response)).toContain('resp_scripted_2');
    const paid = paidCalls(model.ledger).map(({ usage }) => usage!.total_tokens);
    expect(result.tokenUsage.totalTokens).toBe(paid.reduce((sum, each) => sum + each, 0));
    expect(cancelled()).toEqual([]);
    await killHard(second);
    await client.close();
  }, 60_000);

  test('D3 questions that fail are asked again by the next attempts, by the same id', async () => {
    const { client } = await start([{ reply: { done: true }, delayMs: 1_500, failPolls: 2 }]);
    expect(await client.run(spec)).toMatchObject({ success: true, tokenUsage: { modelCalls: 1 } });
    expect(created()).toEqual(['resp_scripted_1']);
    expect(askedAbout(model.ledger, 'fetched').filter(({ status }) => status === 503)).toHaveLength(2);
  });

  test('D3 a reply that takes longer than a call may is waited for by the next attempt', async () => {
    const { client } = await start([{ reply: { done: true }, delayMs: 3_000 }]);
    expect(await client.run({ ...spec, timeouts: { modelCall: '1s' } })).toMatchObject({ success: true });
    expect(created()).toEqual(['resp_scripted_1']);
  });

  test('D3 D4 an aborted run cancels its response', async () => {
    const { client } = await start([{ fault: 'hang' }]);
    const { workflowId } = await client.start(spec);
    await inProgress('resp_scripted_1');
    await client.abort(workflowId);
    expect(await client.result(workflowId)).toMatchObject({ convergenceReason: 'aborted' });
    await eventually(cancelled, (ids) => ids.includes('resp_scripted_1'), 5_000);
  });

  test('D3 a run that is terminated cancels it, too', async () => {
    const { client } = await start([{ fault: 'hang' }]);
    const { workflowId } = await client.start(spec);
    await inProgress('resp_scripted_1');
    await client.temporal.workflow.getHandle(workflowId).terminate();
    await eventually(cancelled, (ids) => ids.includes('resp_scripted_1'), 5_000);
    expect(created()).toEqual(['resp_scripted_1']);
  });

  test('D3 P21 a time budget cancels it', async () => {
    const { client } = await start([{ fault: 'hang' }]);
    const result = await client.run({ ...spec, budget: { wallClock: '2s' } });
    expect(result).toMatchObject({ convergenceReason: 'time_budget', finalOutput: null });
    await eventually(cancelled, (ids) => ids.includes('resp_scripted_1'), 5_000);
  });

  test('D3 a worker that shuts down leaves it for the next', async () => {
    const { client, close } = await start([{ reply: { done: true }, delayMs: 5_000 }]);
    const { workflowId } = await client.start(spec);
    await inProgress('resp_scripted_1');
    const { taskQueue } = client;
    world = undefined;
    await close();
    world = await startWorld({ models: MODELS, taskQueue });
    expect(await world.client.result(workflowId)).toMatchObject({ success: true });
    expect(created()).toEqual(['resp_scripted_1']);
    expect(cancelled()).toEqual([]);
  });

  test('D3 an endpoint without background responses is called as ever, and the version says so', async () => {
    const { client } = await start([{ reply: { done: true } }], 405);
    const result = await client.run(spec);
    expect(result.history.versions[0]!.warnings).toEqual([expect.stringMatching(/no background responses/)]);
    expect(requestsOf(model.ledger).map(({ path }) => path)).toEqual(['/v1/responses', '/v1/chat/completions']);
  });
});
