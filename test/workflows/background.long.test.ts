import { randomUUID } from 'node:crypto';
import { ReflectionClient } from '../../src/client';
import type { ReflectionSpec } from '../../src/loop/contract/spec';
import type { ModelConfig } from '../../src/worker';
import { askedAbout, paidCalls, requestsOf } from '../../src/apps/testing/scripted-model/ledger';
import type { Script, ScriptedRequest, ScriptEntry } from '../../src/apps/testing/scripted-model/script';
import { ScriptedOpenAI, type ScriptedServerOptions } from '../../src/apps/testing/scripted-model/server';
import { eventually } from '../../testing/support/eventually';
import { killHard, startScript } from '../../testing/support/processes';
import { inScriptedWorld, type ScriptedWorld } from '../../testing/support/scripted-world';
import { testAddress } from '../../testing/support/temporal-server';

const MODELS: ModelConfig[] = [{ name: 'slow', model: 'slow-1', background: true }];
const spec: ReflectionSpec = {
  generator: { action: 'llm.call', prompt: 'Write version one.' },
  evaluator: { type: 'schema', schema: { properties: { done: { const: true } } } },
};
/** The revision takes long enough for its id to reach the server in a heartbeat, and then some. */
const script: ScriptEntry[] = [
  { match: 'was not accepted', reply: { done: true }, delayMs: 6_000 },
  { reply: { done: false } },
];

// They run side by side, and start together.
jest.setTimeout(60_000);

describe('model calls in the background', () => {
  const inWorld = (
    entries: Script,
    use: (world: ScriptedWorld) => Promise<void>,
    responses: ScriptedServerOptions['responses'] = 'background',
  ) => inScriptedWorld({ models: MODELS, responses }, entries, use);
  const created = (model: ScriptedOpenAI) => paidCalls(model.ledger).map(({ response }) => response);
  const cancelled = (model: ScriptedOpenAI) => askedAbout(model.ledger, 'cancelled').map(({ response }) => response);
  const inProgress = (model: ScriptedOpenAI, id: string) =>
    eventually(
      () => askedAbout(model.ledger, 'fetched').filter(({ response }) => response === id).length,
      (count) => count >= 3,
      20_000,
    );

  test.concurrent(
    'kill -9 of the worker: the next one picks the reply up by its id, and nothing is paid for twice',
    async () => {
      const model = await ScriptedOpenAI.start({ script, responses: 'background' });
      const taskQueue = `background-${randomUUID()}`;
      const startWorker = () =>
        startScript('testing/support/worker-process.ts', {
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
      await inProgress(model, 'resp_scripted_2');
      await killHard(first);
      const killedAt = Date.now();
      const second = await startWorker();
      const result = await client.result(workflowId);
      expect(result).toMatchObject({ success: true, iterationsUsed: 2, tokenUsage: { modelCalls: 2 } });
      expect(created(model)).toEqual(['resp_scripted_1', 'resp_scripted_2']);
      const after = askedAbout(model.ledger, 'fetched').filter(({ at }) => at > killedAt);
      expect(after.map(({ response }) => response)).toContain('resp_scripted_2');
      const paid = paidCalls(model.ledger).map(({ usage }) => usage!.total_tokens);
      expect(result.tokenUsage.totalTokens).toBe(paid.reduce((sum, each) => sum + each, 0));
      expect(cancelled(model)).toEqual([]);
      await killHard(second);
      await client.close();
      await model.close();
    },
    60_000,
  );

  test.concurrent('questions that fail are asked again by the next attempts, by the same id', async () => {
    await inWorld([{ reply: { done: true }, delayMs: 1_500, failPolls: 2 }], async ({ client, model }) => {
      expect(await client.run(spec)).toMatchObject({ success: true, tokenUsage: { modelCalls: 1 } });
      expect(created(model)).toEqual(['resp_scripted_1']);
      expect(askedAbout(model.ledger, 'fetched').filter(({ status }) => status === 503)).toHaveLength(2);
    });
  });

  test.concurrent('a reply that takes longer than a call may is waited for by the next attempt', async () => {
    await inWorld([{ reply: { done: true }, delayMs: 3_000 }], async ({ client, model }) => {
      expect(await client.run({ ...spec, timeouts: { modelCall: '1s' } })).toMatchObject({ success: true });
      expect(created(model)).toEqual(['resp_scripted_1']);
    });
  });

  test.concurrent('so is a verdict, which carries the code of the call that asked for it', async () => {
    const judged: ReflectionSpec = { ...spec, evaluator: { type: 'llm', prompt: 'Is it good?' } };
    const replies = ({ text }: ScriptedRequest): ScriptEntry => {
      const [, code] = /nowhere else, is: ([0-9a-f]{16})/.exec(text) ?? [];
      if (code === undefined) return { reply: 'version one' };
      return { reply: { code, passed: true, score: 0.9, reason: 'Good.' }, delayMs: 3_000 };
    };
    await inWorld(replies, async ({ client, model }) => {
      const result = await client.run({ ...judged, timeouts: { modelCall: '1s' } });
      expect(result).toMatchObject({ success: true, iterationsUsed: 1, tokenUsage: { modelCalls: 2 } });
      expect(created(model)).toHaveLength(2);
    });
  });

  test.concurrent('an aborted run cancels its response', async () => {
    await inWorld([{ fault: 'hang' }], async ({ client, model }) => {
      const { workflowId } = await client.start(spec);
      await inProgress(model, 'resp_scripted_1');
      await client.abort(workflowId);
      expect(await client.result(workflowId)).toMatchObject({ convergenceReason: 'aborted' });
      await eventually(
        () => cancelled(model),
        (ids) => ids.includes('resp_scripted_1'),
        5_000,
      );
    });
  });

  test.concurrent('a run that is terminated cancels it, too', async () => {
    await inWorld([{ fault: 'hang' }], async ({ client, model }) => {
      const { workflowId } = await client.start(spec);
      await inProgress(model, 'resp_scripted_1');
      await client.temporal.workflow.getHandle(workflowId).terminate();
      await eventually(
        () => cancelled(model),
        (ids) => ids.includes('resp_scripted_1'),
        5_000,
      );
      expect(created(model)).toEqual(['resp_scripted_1']);
    });
  });

  test.concurrent('a time budget cancels it', async () => {
    await inWorld([{ fault: 'hang' }], async ({ client, model }) => {
      const result = await client.run({ ...spec, budget: { wallClock: '2s' } });
      expect(result).toMatchObject({ convergenceReason: 'time_budget', finalOutput: null });
      await eventually(
        () => cancelled(model),
        (ids) => ids.includes('resp_scripted_1'),
        5_000,
      );
    });
  });

  test.concurrent('a worker that shuts down leaves it for the next', async () => {
    await inWorld([{ reply: { done: true }, delayMs: 5_000 }], async ({ client, model, close, another }) => {
      const { workflowId } = await client.start(spec);
      await inProgress(model, 'resp_scripted_1');
      await close();
      const next = await another();
      expect(await next.client.result(workflowId)).toMatchObject({ success: true });
      expect(created(model)).toEqual(['resp_scripted_1']);
      expect(cancelled(model)).toEqual([]);
    });
  });

  test.concurrent('an endpoint without background responses is called as ever, and the version says so', async () => {
    const calls = async ({ client, model }: ScriptedWorld): Promise<void> => {
      const result = await client.run(spec);
      expect(result.history.versions[0]!.warnings).toEqual([expect.stringMatching(/no background responses/)]);
      expect(requestsOf(model.ledger).map(({ path }) => path)).toEqual(['/v1/responses', '/v1/chat/completions']);
    };
    await inWorld([{ reply: { done: true } }], calls, 405);
  });
});
