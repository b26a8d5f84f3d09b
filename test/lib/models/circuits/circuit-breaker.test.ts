import { setTimeout as sleep } from 'node:timers/promises';
import type { ApplicationFailure } from '@temporalio/common';
import { toApplicationFailure } from '../../../../src/activities/failures';
import { CircuitOpenError, EndpointHeldError } from '../../../../src/lib/models/circuits/not-sent';
import { createModels, type ModelsOptions, type WorkerModels } from '../../../../src/lib/models';
import type { ChatReply, ModelConfig } from '../../../../src/lib/models/types';
import { requestsOf } from '../../../../src/apps/testing/scripted-model/ledger';
import type { Script, ScriptEntry } from '../../../../src/apps/testing/scripted-model/script';
import { ScriptedOpenAI } from '../../../../src/apps/testing/scripted-model/server';

const OPEN_MS = 1_000;
const down: ScriptEntry = { status: 503 };

describe('the circuit of a model', () => {
  let server: ScriptedOpenAI;
  let models: WorkerModels;
  afterEach(() => server.close().catch(() => undefined));

  async function start(script: Script, options: ModelsOptions = {}, more: Partial<ModelConfig>[] = []): Promise<void> {
    server = await ScriptedOpenAI.start({ script });
    const configs = [{}, ...more].map((config, index) => ({
      name: `m${index}`,
      model: `model-${index}`,
      baseUrl: server.baseUrl,
      ...config,
    }));
    models = createModels(configs, {}, { circuitBreaker: { failures: 3, openMs: OPEN_MS }, ...options });
  }
  const call = (model = 'm0', signal = new AbortController().signal): Promise<ChatReply> =>
    models.call({ model, messages: [{ role: 'user', content: 'Write.' }], timeoutMs: 2_000, signal });
  const fails = (model?: string): Promise<unknown> =>
    call(model).then(
      () => Promise.reject(new Error('the call succeeded')),
      (error: unknown) => error,
    );
  const failTimes = async (times: number): Promise<void> => {
    for (let time = 0; time < times; time += 1) expect(await fails()).not.toBeInstanceOf(CircuitOpenError);
  };
  const sent = (): number => requestsOf(server.ledger).length;
  const state = (index = 0) => models.circuitStates()[index];
  const untilHalfOpen = (): Promise<void> => sleep(OPEN_MS + 30);

  test('opens after failures in a row, and then sends nothing', async () => {
    await start([{ ...down, times: 'always' }]);
    await failTimes(3);
    const error = await fails();
    expect(error).toBeInstanceOf(CircuitOpenError);
    const failure = toApplicationFailure(error, { attempt: 1 });
    expect(failure).toMatchObject({ type: 'Model.CircuitOpen', nonRetryable: false });
    expect(sent()).toBe(3);
    expect(state()).toMatchObject({
      provider: server.baseUrl,
      model: 'model-0',
      state: 'open',
      failures: 3,
      opened: 1,
      lastFailure: 'Unavailable',
    });
    expect(state()!.until).toBeGreaterThan(Date.now());
  });

  test('says when to come back: not before it tries again, and not all at once', async () => {
    const openMs = 40_000;
    await start([{ ...down, times: 'always' }], { circuitBreaker: { failures: 3, openMs } });
    await failTimes(3);
    const errors = await Promise.all(Array.from({ length: 50 }, async () => (await fails()) as CircuitOpenError));
    const left = state()!.until! - Date.now();
    const backIn = errors.map(({ backInMs }) => backInMs);
    expect(Math.min(...backIn)).toBeGreaterThanOrEqual(left);
    expect(Math.max(...backIn)).toBeLessThanOrEqual(openMs + openMs / 4);
    expect(Math.max(...backIn) - Math.min(...backIn)).toBeGreaterThan(openMs / 10);
  });

  test('one call tries again; the others are turned away while it is under way', async () => {
    await start([
      { ...down, times: 3 },
      { reply: 'back', delayMs: 150 },
      { reply: 'again', times: 'always' },
    ]);
    await failTimes(3);
    await untilHalfOpen();
    const probe = call();
    const others = await Promise.all(Array.from({ length: 20 }, () => fails()));
    expect(others.every((error) => error instanceof CircuitOpenError)).toBe(true);
    expect(state()).toMatchObject({ state: 'half-open' });
    expect((await probe).text).toBe('back');
    expect(sent()).toBe(4);
    expect(state()).toMatchObject({ state: 'closed', failures: 0, opened: 1 });
    expect((await call()).text).toBe('again');
  });

  test('a try that fails opens it for another while', async () => {
    await start([{ ...down, times: 'always' }]);
    await failTimes(3);
    await untilHalfOpen();
    await failTimes(1);
    expect(await fails()).toBeInstanceOf(CircuitOpenError);
    expect(sent()).toBe(4);
    expect(state()).toMatchObject({ state: 'open', opened: 2 });
  });

  test('whoever fails as it opens comes back with it, however many attempts there were', async () => {
    await start([{ ...down, times: 'always' }]);
    const delayOf = async (): Promise<number> => {
      const failure = toApplicationFailure(await fails(), { attempt: 20, random: () => 0 });
      return Number((failure as ApplicationFailure).nextRetryDelay);
    };
    expect([await delayOf(), await delayOf()]).toEqual([30_000, 30_000]);
    expect(await delayOf()).toBeLessThanOrEqual(OPEN_MS * 1.25);
    await untilHalfOpen();
    expect(await delayOf()).toBeLessThanOrEqual(OPEN_MS * 1.25);
    expect(sent()).toBe(4);
  });

  test('a try that is cancelled or rate-limited does not close it', async () => {
    await start([{ ...down, times: 3 }, { fault: 'hang' }, { status: 429 }]);
    await failTimes(3);
    await untilHalfOpen();
    const controller = new AbortController();
    const cancelled = call('m0', controller.signal).catch(() => 'cancelled');
    setTimeout(() => controller.abort(), 50);
    expect(await cancelled).toBe('cancelled');
    expect(state()).toMatchObject({ state: 'open' });
    await untilHalfOpen();
    await failTimes(1);
    expect(state()).toMatchObject({ state: 'open', lastFailure: 'RateLimited' });
    expect(sent()).toBe(5);
  });

  test('stays open as long as the provider asks', async () => {
    await start([
      { status: 503, times: 2 },
      { status: 503, headers: { 'retry-after': '30' }, times: 'always' },
    ]);
    await failTimes(3);
    expect(state()!.until! - Date.now()).toBeGreaterThan(29_000);
    const error = (await fails()) as CircuitOpenError;
    expect(error.backInMs).toBeGreaterThan(29_000);
  });

  test.each([{}, false] as const)(
    'a model that asked to be left alone is not called, by whomever: %j',
    async (circuitBreaker) => {
      const busy = { status: 429, headers: { 'retry-after': '30' } };
      await start([busy, { ...down, times: 'always' }], { circuitBreaker }, [{}]);
      await failTimes(1);
      for (let time = 0; time < 9; time += 1) {
        const error = (await fails()) as EndpointHeldError;
        expect(error).toBeInstanceOf(EndpointHeldError);
        expect(error.backInMs).toBeGreaterThan(29_000);
        expect(error.backInMs).toBeLessThan(34_000);
      }
      expect(sent()).toBe(1);
      // Neither is any other model of the endpoint, nor what makes vectors.
      expect(await fails('m1')).toBeInstanceOf(EndpointHeldError);
      const signal = new AbortController().signal;
      const embedded = models.embed({ model: 'm1', texts: ['x'], timeoutMs: 2_000, signal });
      await expect(embedded).rejects.toBeInstanceOf(EndpointHeldError);
      expect(sent()).toBe(1);
      // Another endpoint is.
      const elsewhere = await ScriptedOpenAI.start({ script: [{ reply: 'here' }] });
      try {
        const two = [server.baseUrl, elsewhere.baseUrl].map((baseUrl, index) => ({
          name: `m${index}`,
          model: 'x',
          baseUrl,
        }));
        await server.close();
        server = await ScriptedOpenAI.start({ script: [busy] });
        models = createModels([{ ...two[0]!, baseUrl: server.baseUrl }, two[1]!], {}, { circuitBreaker });
        await failTimes(1);
        expect((await call('m1')).text).toBe('here');
      } finally {
        await elsewhere.close();
      }
      for (const { opened, state: now } of models.circuitStates()) expect([opened, now]).toEqual([0, 'closed']);
    },
  );

  test.each<[string, ScriptEntry]>([
    ['a mistake in the spec', { status: 400 }],
    ['a wrong key', { status: 401 }],
    ['a model that is not there', { status: 404 }],
    ['a rate limit', { status: 429 }],
    ['a refusal', { refusal: 'no' }],
    ['an empty reply', { reply: '' }],
  ])('does not open for %s', async (_name, entry) => {
    await start([{ ...entry, times: 'always' }]);
    await failTimes(6);
    expect(sent()).toBe(6);
    expect(state()).toMatchObject({ state: 'closed', failures: 0, opened: 0 });
  });

  test.each<[string, ScriptEntry]>([
    ['a closed connection', { fault: 'reset' }],
    ['a reply that breaks off', { fault: 'truncate', reply: 'long enough' }],
    ['an overloaded provider', { status: 529 }],
  ])('opens for %s', async (_name, entry) => {
    await start([{ ...entry, times: 'always' }]);
    await failTimes(3);
    expect(await fails()).toBeInstanceOf(CircuitOpenError);
  });

  test('an answer in between starts the count again', async () => {
    await start([{ ...down, times: 2 }, { reply: 'ok' }, { ...down, times: 2 }, { reply: 'ok' }]);
    await failTimes(2);
    await call();
    await failTimes(2);
    expect(state()).toMatchObject({ state: 'closed', failures: 2 });
  });

  test('each model of each provider has its own; two names of one model share it', async () => {
    await start([{ ...down, match: { model: 'model-0' }, times: 'always' }, { reply: 'ok' }], {}, [
      {},
      { model: 'model-0' },
    ]);
    await failTimes(3);
    expect((await call('m1')).text).toBe('ok');
    expect(await fails('m2')).toBeInstanceOf(CircuitOpenError);
    expect(models.circuitStates().map((each) => [each.model, each.state])).toEqual([
      ['model-0', 'open'],
      ['model-1', 'closed'],
    ]);
  });

  test('changes are told, and can be switched off', async () => {
    const told: string[] = [];
    await start([{ ...down, times: 3 }, { reply: 'ok' }], { onCircuitChange: (status) => told.push(status.state) });
    await failTimes(3);
    await untilHalfOpen();
    await call();
    expect(told).toEqual(['open', 'half-open', 'closed']);
    await server.close();
    await start([{ ...down, times: 'always' }], { circuitBreaker: false });
    await failTimes(10);
    expect(models.circuitStates()).toEqual([]);
  });

  test('the address that is shown has no key', async () => {
    await start([{ ...down, times: 'always' }]);
    const { host } = new URL(server.baseUrl);
    models = createModels([{ name: 'm0', model: 'x', baseUrl: `http://${host}/v1?key=hidden` }], {});
    await fails();
    expect(JSON.stringify(models.circuitStates())).not.toContain('hidden');
  });
});
