import { runModelCall } from '../../../../src/actions/llm-call';
import { createActionRegistry } from '../../../../src/actions/registry';
import { toApplicationFailure } from '../../../../src/activities/failures';
import { CircuitOpenError, EndpointBusyError } from '../../../../src/lib/models/circuits/not-sent';
import { createModels } from '../../../../src/lib/models';
import type { ChatReply, ChatRequest, ModelConfig } from '../../../../src/lib/models/types';
import { requestsOf } from '../../../../src/apps/testing/scripted-model/ledger';
import type { Script } from '../../../../src/apps/testing/scripted-model/script';
import { ScriptedOpenAI } from '../../../../src/apps/testing/scripted-model/server';

const PRICES = { inputPerMillion: 1, outputPerMillion: 1 };

async function world(script: Script, configs: Partial<ModelConfig>[], work: (world: World) => Promise<void>) {
  const server = await ScriptedOpenAI.start({ script });
  const models = createModels(
    configs.map((config, index) => ({
      name: `m${index}`,
      model: `model-${index}`,
      baseUrl: server.baseUrl,
      ...config,
    })),
    {},
    { circuitBreaker: { failures: 1, openMs: 60_000 } },
  );
  const call = (more: Partial<ChatRequest> = {}): Promise<ChatReply> =>
    models.call({
      model: 'm0',
      messages: [{ role: 'user', content: 'Write.' }],
      timeoutMs: 2_000,
      signal: new AbortController().signal,
      ...more,
    });
  const asked = (): string[] => requestsOf(server.ledger).map(({ body }) => body!.model);
  try {
    await work({ models, call, asked, bodies: () => requestsOf(server.ledger).map(({ body }) => body!) });
  } finally {
    await server.close();
  }
}

interface World {
  models: ReturnType<typeof createModels>;
  call(more?: Partial<ChatRequest>): Promise<ChatReply>;
  /** The models that requests named, in order. */
  asked(): string[];
  bodies(): { max_completion_tokens?: number }[];
}

const down = { status: 503 };

describe('a model that stands in for another', () => {
  test('is asked while the circuit of the other is open, not for a single failure; the version says so', async () => {
    await world([down, { reply: 'from the second' }], [{ fallback: 'm1' }, {}], async ({ call, asked }) => {
      const failure = toApplicationFailure(await call().catch((error: unknown) => error), { attempt: 1 });
      // One attempt makes one call. The next one need not wait until the circuit lets a trial through.
      expect(failure).toMatchObject({ type: 'Model.Unavailable', nextRetryDelay: 100 });
      const { text, warnings } = await call();
      expect(text).toBe('from the second');
      expect(warnings).toEqual(['the model "m1" was asked in the place of "m0", whose circuit is open']);
      expect(asked()).toEqual(['model-0', 'model-1']);
    });
  });

  test('writes no reply from which a revision by the other goes on', async () => {
    await world([{ reply: 'own' }, down, { reply: 'not own' }], [{ fallback: 'm1' }, {}], async ({ models, call }) => {
      const step = { action: 'llm.call' as const, model: 'm0', prompt: 'Write.' };
      const input = { state: {}, iteration: 1, workflowId: 'w', timeoutMs: 2_000 };
      const context = { models, actions: createActionRegistry([]), signal: new AbortController().signal };
      expect(await runModelCall(step, input, context)).toMatchObject({ output: 'own', reply: {} });
      await call().catch(() => undefined);
      const { output, reply } = await runModelCall(step, input, context);
      expect([output, reply]).toEqual(['not own', undefined]);
    });
  });

  test('may have another behind it, and costs what it costs itself', async () => {
    const configs = [{ fallback: 'm1', prices: PRICES }, { fallback: 'm2', prices: PRICES }, { prices: PRICES }];
    await world([down, down, { reply: 'third' }], configs, async ({ call, asked, models }) => {
      await expect(call()).rejects.toThrow();
      await expect(call()).rejects.toThrow();
      const { text, usage, warnings } = await call();
      expect(text).toBe('third');
      expect(usage.usd).toBeGreaterThan(0);
      expect(warnings).toHaveLength(2);
      expect(asked()).toEqual(['model-0', 'model-1', 'model-2']);
      expect(models.hasPrice('m0')).toBe(true);
    });
  });

  test('without a price of its own leaves a budget in dollars unknown', async () => {
    await world([], [{ fallback: 'm1', prices: PRICES }, {}], async ({ models }) => {
      expect(models.hasPrice('m0')).toBe(false);
      await Promise.resolve();
    });
  });

  test('is not asked for a reply that is being made in the background elsewhere', async () => {
    const background = { id: 'resp_1', began: () => undefined, isWanted: () => Promise.resolve(true) };
    await world([down], [{ fallback: 'm1' }, {}], async ({ call, asked }) => {
      await expect(call()).rejects.toThrow();
      await expect(call({ background })).rejects.toBeInstanceOf(CircuitOpenError);
      expect(asked()).toEqual(['model-0']);
    });
  });

  test.each<[string, Partial<ModelConfig>[], RegExp]>([
    ['nobody', [{ fallback: 'm7' }, {}], /the fallback "m7" of the model "m0" is not one that specs may name/],
    ['itself', [{ fallback: 'm0' }], /lead in a circle: m0/],
    ['one that leads back', [{ fallback: 'm1' }, { fallback: 'm0' }], /lead in a circle: m0, m1/],
  ])('is refused at the start where it is %s', (_what, configs, message) => {
    const named = configs.map((config, index) => ({
      name: `m${index}`,
      model: 'x',
      baseUrl: 'http://127.0.0.1:1',
      ...config,
    }));
    expect(() => createModels(named, {})).toThrow(message);
  });
});

describe('the limits of an endpoint', () => {
  test('turn away what is beyond them before it is sent; every model of the endpoint counts', async () => {
    const endpointLimits = { concurrentCalls: 1 };
    await world(
      [{ reply: 'slow', delayMs: 200 }, { reply: 'later' }],
      [{ endpointLimits }, { endpointLimits }],
      async ({ call, asked }) => {
        const first = call();
        await expect(call({ model: 'm1' })).rejects.toBeInstanceOf(EndpointBusyError);
        expect((await first).text).toBe('slow');
        expect((await call({ model: 'm1' })).text).toBe('later');
        expect(asked()).toEqual(['model-0', 'model-1']);
      },
    );
  });
});

describe('a context window', () => {
  const long = (words: number): ChatRequest['messages'] => [{ role: 'user', content: 'word '.repeat(words) }];

  test('refuses a prompt that is larger before it is paid for', async () => {
    await world([], [{ contextWindow: 1_000 }], async ({ call, asked }) => {
      await expect(call({ messages: long(2_000) })).rejects.toMatchObject({
        kind: 'ContextLength',
        message: expect.stringMatching(
          /about 2\d{3} tokens, and the context window of m0 has 1000: nothing was sent/,
        ) as string,
      });
      expect(asked()).toEqual([]);
    });
  });

  test('leaves the reply what the prompt does not take, and 256 tokens where the estimate leaves nothing', async () => {
    const replies = [{ reply: 'a' }, { reply: 'b' }, { reply: 'c' }];
    await world(replies, [{ contextWindow: 4_000 }], async ({ call, bodies }) => {
      await call({ messages: long(1_000) });
      await call({ messages: long(4_200) });
      await call({ messages: long(1_000), maxTokens: 100 });
      const [first, second, third] = bodies().map((body) => body.max_completion_tokens);
      expect(first).toBeGreaterThan(2_900);
      expect(first).toBeLessThan(3_010);
      expect(second).toBe(256);
      expect(third).toBe(100);
    });
  });
});
