import { createAnthropic } from '@ai-sdk/anthropic';
import { z } from 'zod';
import type { ReflectionSpec } from '../../src/loop/contract/spec';
import { defineAction, fromAiSdk, type ReflectionWorkerOptions } from '../../src/worker';
import { startStrictAnthropic } from '../../testing/support/strict-anthropic';
import { eventually } from '../../testing/support/eventually';
import { type LoopWorld, startWorld } from '../../testing/support/loop-world';
import { createModels } from '../../src/lib/models';
import { startStrictServer, STRICT_PROVIDERS, type WireMessage } from '../../testing/support/strict-providers';
import type { Move, StrictServer } from '../../testing/support/strict-server';

/** Three rounds with two tools, a question and an approval; then a draft that fails, and its revision. */
const MOVES: Move[] = [
  {
    calls: [
      { name: 'order_look', input: { id: '1807' } },
      { name: 'stock_count', input: { item: 'chair' } },
    ],
  },
  { calls: [{ name: 'ask_person', input: { question: 'Which account pays?' } }] },
  { calls: [{ name: 'refund', input: { amount: 20 } }] },
  { text: 'A draft.' },
  { text: 'The final answer.' },
];

const SPEC: ReflectionSpec = {
  task: 'Answer the customer.',
  generator: {
    action: 'llm.call',
    prompt: '{{ task }}',
    tools: ['order_look', 'stock_count', 'refund', 'ask_person'],
    maxToolRounds: 4,
  },
  evaluator: { type: 'regex', pattern: 'final' },
  maxIterations: 2,
  questions: { most: 1, timeout: '30s' },
  revision: { strategy: 'full_rewrite' },
};

/** A judge that looks something up before it judges. */
const JUDGED: Move[] = [
  { text: 'The final answer.' },
  { calls: [{ name: 'order_look', input: { id: '1807' } }] },
  { verdict: { valid: true, score: 0.9, issues: [], suggestions: [], confidence: 0.9 } },
];

type Models = NonNullable<ReflectionWorkerOptions['models']>;

interface Played {
  name: string;
  start(moves: readonly Move[]): Promise<StrictServer<{ stream?: boolean }>>;
  models(baseUrl: string): Models;
}

const OPENAI_LIKE = STRICT_PROVIDERS.map((provider): Played => ({
  name: provider.name,
  start: async (moves) => startStrictServer(provider, moves),
  models: (baseUrl) => [{ name: 'm', model: 'm', baseUrl }],
}));

const ANTHROPIC: Played = {
  name: 'Anthropic through the AI SDK',
  start: async (moves) => startStrictAnthropic(moves),
  models: (baseURL) => [
    fromAiSdk(createAnthropic({ baseURL, apiKey: 'not-a-key' })('claude-sonnet-4-5'), {
      name: 'm',
      providerOptions: { anthropic: { thinking: { type: 'enabled', budgetTokens: 1_024 } } },
    }),
  ],
};

describe.each([...OPENAI_LIKE, ANTHROPIC].map((played) => [played.name, played] as const))('%s', (_name, played) => {
  const made: string[] = [];
  const tool = (name: string, input: z.ZodType, approval = false) =>
    defineAction({
      readOnly: !approval,
      name,
      description: name,
      input,
      approval,
      run: (given) => {
        made.push(`${name} ${JSON.stringify(given)}`);
        return `${name} done`;
      },
    });
  const actions = [
    tool('order_look', z.object({ id: z.string() })),
    tool('stock_count', z.object({ item: z.string() })),
    tool('refund', z.object({ amount: z.number() }), true),
  ];
  let server: StrictServer<{ stream?: boolean }>;
  let world: LoopWorld;

  const play = async (moves: readonly Move[]): Promise<void> => {
    made.splice(0);
    server = await played.start(moves);
    world = await startWorld({ actions, models: played.models(server.baseUrl) });
  };
  afterEach(async () => {
    await world.close();
    server.close();
  });

  test.each([false, true])(
    'takes a whole conversation with tools, a question and an approval; streamed: %s',
    async (stream) => {
      await play(MOVES);
      const id = await world.client.start({ ...SPEC, ...(stream && { stream }) });
      const answer = async (kind: string, given: object): Promise<void> => {
        const { waitingFor } = await eventually(
          () => world.client.progress(id),
          (progress) =>
            progress.waitingFor?.waits?.some((wait) => wait.kind === kind) === true || progress.phase === 'done',
        );
        await world.client.answer(id, { to: waitingFor!.waits![0]!.id, ...given });
      };
      await answer('question', { text: 'The main one.' });
      await answer('approval', { approve: true });
      const result = await world.client.result(id);
      expect(result).toMatchObject({ success: true, finalOutput: 'The final answer.' });
      // Nothing is paid, and nothing is done, twice: a refused request is neither.
      expect(server.accepted).toHaveLength(MOVES.length);
      expect(result.tokenUsage.modelCalls).toBe(MOVES.length);
      expect(made.sort()).toEqual(['order_look {"id":"1807"}', 'refund {"amount":20}', 'stock_count {"item":"chair"}']);
      expect(server.accepted.some(({ stream: isStreamed }) => isStreamed)).toBe(stream);
      // What is refused once is not sent again.
      expect(server.refusals.length).toBeLessThanOrEqual(2);
      expect(JSON.stringify(result)).not.toMatch(/Thought about|signature-/);
    },
  );

  test('takes the conversation of a judge that looks something up', async () => {
    await play(JUDGED);
    const evaluator = { type: 'llm' as const, prompt: 'Is it right?', tools: ['order_look'] };
    const { generator } = SPEC;
    const result = await world.client.run({ task: 'Answer.', generator, evaluator, maxIterations: 1 });
    expect(result).toMatchObject({ success: true, finalEvaluation: { outcome: 'pass' } });
    expect(server.accepted).toHaveLength(JUDGED.length);
    expect(JSON.stringify(server.accepted.at(-1))).toContain('order_look done');
    expect(made).toEqual(['order_look {"id":"1807"}']);
    expect(JSON.stringify(result)).not.toMatch(/Thought about|signature-/);
  });
});

test('a fallback begins a conversation that Gemini 3 goes on with: its unsigned calls are taken', async () => {
  const gemini = STRICT_PROVIDERS.find(({ name }) => name === 'Gemini 3')!;
  const isSkipped = ({ tool_calls: [first] = [] }: WireMessage) =>
    JSON.stringify(first ?? {}).includes('skip_thought_signature_validator');
  const server = await startStrictServer(
    {
      ...gemini,
      refuse: (body) => gemini.refuse({ ...body, messages: body.messages.filter((each) => !isSkipped(each)) }),
    },
    [{ text: 'The answer.' }],
  );
  const models = createModels([{ name: 'm', model: 'm', baseUrl: server.baseUrl }], {});
  const toolCalls = [{ id: 'a', name: 'order_look', arguments: '{}', extras: { by: 'spare m-2', call: { mark: 1 } } }];
  const { text } = await models.call({
    messages: [{ role: 'user', content: 'Answer.' }],
    turns: [
      { role: 'assistant', content: '', toolCalls },
      { role: 'tool', toolCallId: 'a', content: 'sent' },
    ],
    tools: [{ name: 'order_look', description: '', parameters: {} }],
    timeoutMs: 5_000,
    signal: new AbortController().signal,
  });
  expect([text, server.refusals.length]).toEqual(['The answer.', 1]);
  server.close();
});
