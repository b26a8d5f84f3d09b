import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ReflectionSpec } from '../../src/loop/contract/spec';
import { paidCalls, requestsOf } from '../../src/apps/testing/scripted-model/ledger';
import { failUntil, outageFrom, type ScriptEntry } from '../../src/apps/testing/scripted-model/script';
import { eventually } from '../../testing/support/eventually';
import { inScriptedWorld } from '../../testing/support/scripted-world';

/** A draft that fails its check and a revision that passes: two calls a loop. */
const spec: ReflectionSpec = {
  generator: { action: 'llm.call', prompt: 'Write version one.' },
  evaluator: { type: 'schema', schema: { properties: { done: { const: true } } } },
};
const answers: ScriptEntry[] = [
  { match: 'was not accepted', reply: { done: true }, times: 'always' },
  { reply: { done: false }, times: 'always' },
];

describe('providers in trouble', () => {
  test.concurrent(
    'a model down under 50 running loops is tried once a window, and all loops finish after',
    async () => {
      const [downMs, openMs, failures] = [8_000, 2_000, 5];
      const revision = /was not accepted/;
      const script = outageFrom(revision, downMs, { status: 503 }, (text) => ({
        reply: { done: revision.test(text) },
      }));
      await inScriptedWorld({ circuitBreaker: { failures, openMs } }, script, async ({ client, model, worker }) => {
        const results = await Promise.all(Array.from({ length: 50 }, () => client.run(spec)));
        expect(results.filter((result) => result.success && result.iterationsUsed === 2)).toHaveLength(50);
        expect(paidCalls(model.ledger)).toHaveLength(100);
        const refused = model.ledger.filter((entry) => entry.status === 503);
        const opened = refused[failures - 1]!.at;
        // Those that were on their way when it opened; then one for each window.
        const tries = refused.filter(({ at }) => at > opened + openMs / 2);
        expect(tries.length).toBeLessThanOrEqual(Math.ceil(downMs / openMs));
        const gaps = tries.slice(1).map(({ at }, index) => at - tries[index]!.at);
        expect(Math.min(...gaps)).toBeGreaterThanOrEqual(openMs);
        expect(worker.circuitStates()).toEqual([
          expect.objectContaining({ state: 'closed', opened: tries.length + 1, lastFailure: 'Unavailable' }),
        ]);
        const last = Math.max(...model.ledger.map(({ at }) => at));
        expect(last - refused[0]!.at).toBeLessThan(downMs + 2 * openMs + 2_000);
      });
    },
    60_000,
  );

  test.concurrent(
    'what one call is told by Retry-After holds for all calls of the process',
    async () => {
      const limit = { status: 429, headers: { 'retry-after': '6' } } as const;
      await inScriptedWorld({}, [limit, ...answers], async ({ client, model, worker }) => {
        const first = client.run(spec);
        const toldAt = await eventually(
          () => model.ledger.find(({ status }) => status === 429)?.at,
          (at) => at !== undefined,
        );
        const others = Array.from({ length: 5 }, () => client.run(spec));
        const results = await Promise.all([first, ...others]);
        expect(results.map(({ success }) => success)).toEqual(Array.from({ length: 6 }, () => true));
        const [, ...later] = requestsOf(model.ledger).map(({ at }) => at - toldAt!);
        expect(Math.min(...later)).toBeGreaterThanOrEqual(6_000);
        expect(later).toHaveLength(12);
        // Waiting is no failure of the model.
        expect(worker.circuitStates()).toEqual([expect.objectContaining({ state: 'closed', opened: 0, failures: 0 })]);
      });
    },
    60_000,
  );

  test.concurrent(
    'what one call of a judge’s service is told by Retry-After holds for all calls of the process',
    async () => {
      const asked: number[] = [];
      const judge = createServer((request, response) => {
        request.resume();
        asked.push(Date.now());
        if (asked.length === 1) response.writeHead(503, { 'retry-after': '5' }).end();
        else response.end('true');
      }).listen(0, '127.0.0.1');
      await once(judge, 'listening');
      const url = `http://127.0.0.1:${(judge.address() as AddressInfo).port}/judge`;
      const judged: ReflectionSpec = { ...spec, evaluator: { type: 'external', url } };
      try {
        await inScriptedWorld({ externalCalls: { allowPrivateAddresses: true } }, answers, async ({ client }) => {
          const first = client.run(judged);
          const toldAt = await eventually(
            () => asked[0],
            (at) => at !== undefined,
          );
          const others = Array.from({ length: 5 }, () => client.run(judged));
          const results = await Promise.all([first, ...others]);
          expect(results.map(({ success }) => success)).toEqual(Array.from({ length: 6 }, () => true));
          const [, ...later] = asked.map((at) => at - toldAt!);
          expect(Math.min(...later)).toBeGreaterThanOrEqual(4_900);
          expect(later).toHaveLength(6);
        });
      } finally {
        judge.close();
      }
    },
    60_000,
  );

  test.concurrent(
    'a model that answers 429 with Retry-After: 5 for 20 s is not called earlier, and the run succeeds',
    async () => {
      const limit = failUntil(20_000, { status: 429, headers: { 'retry-after': '5' } });
      await inScriptedWorld({}, [limit, ...answers], async ({ client, model }) => {
        expect(await client.run(spec)).toMatchObject({ success: true, iterationsUsed: 2 });
        const limited = model.ledger.filter((entry) => entry.status === 429);
        const times = requestsOf(model.ledger).map(({ at }) => at);
        expect(limited.length).toBeGreaterThanOrEqual(4);
        for (const { at, request } of limited) expect(times[request]! - at).toBeGreaterThanOrEqual(5_000);
        expect(limited.length).toBeLessThanOrEqual(5);
      });
    },
    60_000,
  );

  test.concurrent(
    'model calls are handed out no faster than the queue may',
    async () => {
      const perSecond = 5;
      await inScriptedWorld({ maxModelCallsPerSecond: perSecond }, answers, async ({ client, model }) => {
        const started = Date.now();
        await Promise.all(Array.from({ length: 10 }, () => client.run(spec)));
        const seconds = (Date.now() - started) / 1_000;
        const calls = requestsOf(model.ledger).length;
        expect(calls).toBe(20);
        // The server lets a second's worth through at once to begin with.
        expect(calls).toBeLessThanOrEqual(perSecond * (seconds + 1.5));
      });
    },
    60_000,
  );
});
