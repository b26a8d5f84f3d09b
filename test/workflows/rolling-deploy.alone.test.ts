import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { ReflectionSpec } from '../../src/loop/contract/spec';
import { defineAction } from '../../src/worker';
import { requestsOf } from '../../src/apps/testing/scripted-model/ledger';
import { ScriptedOpenAI } from '../../src/apps/testing/scripted-model/server';
import { eventually } from '../../testing/support/eventually';
import { startWorld } from '../../testing/support/loop-world';

/** Set when the older worker polls, too. */
let bothAreThere = false;

const ready = defineAction({
  name: 'ready',
  description: 'Waits until both are there.',
  input: z.unknown(),
  run: async (_input, { signal }) => {
    while (!bothAreThere) await sleep(20, undefined, { signal });
    return null;
  },
});
const tells = defineAction({ name: 'tells', description: 'A hook.', input: z.unknown(), run: () => null });
const judges = defineAction({
  name: 'judges',
  description: 'Says yes.',
  input: z.unknown(),
  run: () => ({ score: 1 }),
});
/** Model calls are handed to either worker. Activities of the other queue mostly stay with the worker that schedules them. */
const step = { action: 'llm.call', model: 'new-model', prompt: 'Version {{ state.reflection_iteration }}.' } as const;
const spec: ReflectionSpec = {
  generator: step,
  corrector: step,
  evaluator: [
    { type: 'schema', schema: { type: 'object', required: ['done'] } },
    { type: 'function', action: 'judges' },
  ],
  hooks: { onGeneration: 'ready', onRevision: 'tells' },
  convergence: false,
};

describe('two workers of one queue, one of which is of an older build', () => {
  test.concurrent(
    'a run that was prepared where its actions are known does not end where they are not',
    async () => {
      const model = await ScriptedOpenAI.start({
        script: [
          { match: 'Version 3', reply: { done: true }, times: 'always' },
          { reply: {}, times: 'always' },
        ],
      });
      const models = [{ name: 'new-model', model: 'm', baseUrl: model.baseUrl }];
      const newer = await startWorld({ recovery: 'fast', models, actions: [ready, judges, tells] });
      const { taskQueue } = newer.client;
      const started = await Promise.all(Array.from({ length: 20 }, () => newer.client.start(spec)));
      for (const { workflowId } of started) {
        await eventually(
          () => newer.client.progress(workflowId),
          ({ phase }) => phase !== 'preparing',
        );
      }
      const older = await startWorld({ recovery: 'fast', taskQueue, models: [{ ...models[0]!, name: 'old-model' }] });
      bothAreThere = true;
      try {
        const results = await Promise.allSettled(started.map(({ workflowId }) => newer.client.result(workflowId)));
        const ends = results.map((each) =>
          each.status === 'fulfilled' ? each.value.iterationsUsed : String(each.reason),
        );
        expect(ends).toEqual(Array.from({ length: 20 }, () => 3));
      } finally {
        await older.close();
        await newer.close();
        await model.close();
      }
    },
    90_000,
  );

  test.concurrent(
    'while only the older one is there the run waits, and says for what; a model is waited for, too',
    async () => {
      const model = await ScriptedOpenAI.start({ script: [{ reply: { done: true }, times: 'always' }] });
      const named = { name: 'new-model', model: 'm', baseUrl: model.baseUrl };
      let mayEnd = false;
      const waits = defineAction({
        name: 'waits',
        description: 'Waits.',
        input: z.unknown(),
        run: async (_input, { signal }) => {
          while (!mayEnd) await sleep(20, undefined, { signal });
          return {};
        },
      });
      const newer = await startWorld({ recovery: 'fast', actions: [waits], models: [named] });
      const { taskQueue } = newer.client;
      const { workflowId } = await newer.client.start({
        generator: { action: 'waits' },
        corrector: { action: 'llm.call', model: 'new-model', prompt: 'Go on.' },
        evaluator: { type: 'schema', schema: { type: 'object', required: ['done'] } },
      });
      await eventually(
        () => newer.client.progress(workflowId),
        ({ phase }) => phase === 'generating',
      );
      const older = await startWorld({ recovery: 'fast', taskQueue, models: [{ ...named, name: 'old-model' }] });
      let again: Awaited<ReturnType<typeof startWorld>> | undefined;
      try {
        // In mid-call: the next attempt goes to the older one.
        await newer.close();
        const handle = older.client.temporal.workflow.getHandle(workflowId);
        const failing = await eventually(
          async () => (await handle.describe()).raw.pendingActivities?.[0]?.lastFailure,
          (failure) => failure?.applicationFailureInfo?.type === 'UnknownAction',
          30_000,
        );
        expect(failing!.message).toMatch(/action "waits" is not registered on this worker/);
        mayEnd = true;
        again = await startWorld({ recovery: 'fast', taskQueue, actions: [waits], models: [named] });
        expect(await older.client.result(workflowId)).toMatchObject({ success: true, finalOutput: { done: true } });
      } finally {
        await older.close();
        await again?.close();
        await model.close();
      }
    },
    90_000,
  );

  test.concurrent(
    'a tool that a model called is waited for, too, and its model is told of no failure',
    async () => {
      const calls = { toolCalls: [{ name: 'looks', arguments: {} }] };
      const model = await ScriptedOpenAI.start({ script: [calls, { reply: { done: true } }] });
      const models = [{ name: 'model', model: 'm', baseUrl: model.baseUrl }];
      let mayEnd = false;
      const looks = defineAction({
        name: 'looks',
        description: 'Looks.',
        input: z.unknown(),
        run: async (_input, { signal }) => {
          while (!mayEnd) await sleep(20, undefined, { signal });
          return 'found';
        },
      });
      const newer = await startWorld({ recovery: 'fast', actions: [looks], models });
      const { taskQueue } = newer.client;
      const { workflowId } = await newer.client.start({
        generator: { action: 'llm.call', model: 'model', prompt: 'Look.', tools: ['looks'] },
        evaluator: { type: 'schema', schema: { type: 'object', required: ['done'] } },
      });
      const pendingOf = async (world: typeof newer) =>
        (await world.client.temporal.workflow.getHandle(workflowId).describe()).raw.pendingActivities?.[0];
      await eventually(
        () => pendingOf(newer),
        (pending) => pending?.activityType?.name === 'reflection.tool' && pending.attempt === 1,
      );
      const opened = await startWorld({ recovery: 'fast', taskQueue, models });
      let isOpen = true;
      const older = {
        ...opened,
        close: async () => {
          if (isOpen) await opened.close();
          isOpen = false;
        },
      };
      let again: Awaited<ReturnType<typeof startWorld>> | undefined;
      try {
        await newer.close();
        const { lastFailure } = (await eventually(
          () => pendingOf(older),
          (pending) => pending?.lastFailure?.applicationFailureInfo?.type === 'UnknownAction',
          30_000,
        ))!;
        expect(lastFailure!.message).toMatch(/action "looks" is not registered on this worker/);
        mayEnd = true;
        again = await startWorld({ recovery: 'fast', taskQueue, actions: [looks], models });
        // The server may offer each attempt to the older one, as long as that asks for work.
        await older.close();
        expect(await again.client.result(workflowId)).toMatchObject({ success: true, iterationsUsed: 1 });
        const told = requestsOf(model.ledger)
          .at(-1)!
          .body!.messages.filter(({ role }) => role === 'tool');
        expect(told.map(({ content }) => content)).toEqual([expect.stringContaining('found')]);
      } finally {
        await older.close();
        await again?.close();
        await model.close();
      }
    },
    90_000,
  );
});
