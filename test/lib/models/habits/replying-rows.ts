import type { ServerHabits } from '../../../../src/apps/testing/scripted-model/habits';
import { type Row, texts, twice } from './row';

const usual = { prompt: 100, completion: 20 };
const tools = [{ name: 'look_up', description: 'Looks up.', parameters: { type: 'object' } }];

const thinking = (['tags', 'closing tag', 'reasoning_content', 'parts'] as const).flatMap((place) =>
  [false, true].map((stream): Row => ({
    row: 'reasoning beside the answer',
    name: `in ${place}${stream ? ', streamed' : ''}`,
    habits: { thinks: { text: 'Let me see: 1, 2.', in: place } },
    script: [{ reply: 'Three.' }],
    config: { stream: stream && place !== 'parts' },
    calls: 1,
    check: (seen) => expect(texts(seen)).toEqual(['Three.']),
  })),
);

const emptyRows = [
  { name: 'nothing', habits: {}, says: /empty reply/ },
  { name: 'only reasoning in tags', habits: { thinks: { text: 'Hm.', in: 'tags' } }, says: /only reasoning, 3 char/ },
  {
    name: 'only reasoning_content',
    habits: { thinks: { text: 'Hm.', in: 'reasoning_content' } },
    says: /only reasoning, 3 char/,
  },
].map(({ name, habits, says }): Row => ({
  row: 'replies are empty, or only reasoning',
  name,
  habits: habits as ServerHabits,
  script: [{ reply: '', usage: usual }],
  calls: 1,
  check({ errors }) {
    expect(errors).toEqual([
      expect.objectContaining({ kind: 'Empty', usage: expect.objectContaining({ totalTokens: 120, modelCalls: 1 }) }),
    ]);
    expect(errors[0]!.message).toMatch(says);
  },
}));

const usageRows = (['none', 'null', 'nulls', 'zeros'] as const).flatMap((usage) =>
  [false, true].map((stream): Row => ({
    row: '`usage` is missing',
    name: `${usage}${stream ? ', streamed' : ''}`,
    habits: { usage },
    script: [{ reply: 'Rain falls on the roof tonight.' }],
    config: { stream, prices: { inputPerMillion: 1_000, outputPerMillion: 1_000 } },
    request: { messages: [{ role: 'user', content: 'Write a line about the rain in the evening.' }] },
    calls: 1,
    check({ replies: [first] }) {
      // 10 tokens, and 4 around a message; 7 tokens.
      expect(first!.usage).toMatchObject({ promptTokens: 14, completionTokens: 7, totalTokens: 21, estimated: true });
      expect(first!.usage.usd).toBeCloseTo(0.021);
      expect(first!.warnings).toEqual([expect.stringContaining('estimated')]);
    },
  })),
);

const PLAIN = {
  choices: [{ index: 0, message: { role: 'assistant', content: 'Three.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 },
};
const EVENT = { choices: [{ index: 0, delta: { content: 'Three.' }, finish_reason: 'stop' }], usage: PLAIN.usage };

const unstreamedRows = [
  { name: 'the whole reply', type: 'application/json', body: JSON.stringify(PLAIN) },
  { name: 'events that do not call themselves so', type: 'text/plain', body: `data: ${JSON.stringify(EVENT)}\n\n` },
].map(({ name, type, body }): Row => ({
  row: '`stream` is ignored, or answered under another content type',
  name,
  script: [{ status: 200, headers: { 'content-type': type }, body }],
  config: { stream: true },
  calls: 1,
  check(seen) {
    expect(texts(seen)).toEqual(['Three.']);
    expect(seen.replies[0]!.usage.totalTokens).toBe(120);
  },
}));

/** Servers whose replies have another form. */
export const REPLYING_ROWS: Row[] = [
  ...emptyRows,
  {
    row: '`content` is a list of parts',
    name: 'whole',
    habits: { content: 'parts' },
    script: [{ reply: 'Three.' }],
    calls: 1,
    check: (seen) => expect(texts(seen)).toEqual(['Three.']),
  },
  {
    row: '`content` is a list of parts',
    name: 'streamed',
    habits: { content: 'parts' },
    script: [{ reply: 'Three, and then four, and then five.' }],
    config: { stream: true },
    calls: 1,
    check: (seen) => expect(texts(seen)).toEqual(['Three, and then four, and then five.']),
  },
  ...thinking,
  {
    row: 'reasoning beside the answer',
    name: 'a text about such tags is left alone',
    script: [{ reply: 'Close it with `</think>` in the template.\nDone.' }],
    calls: 1,
    check: (seen) => expect(texts(seen)).toEqual(['Close it with `</think>` in the template.\nDone.']),
  },
  ...usageRows,
  ...unstreamedRows,
  {
    row: 'tokens from the cache and of reasoning',
    name: 'counted and priced',
    habits: { usage: { cached: 80, reasoning: 15 } },
    script: [{ reply: 'Three.', usage: usual }],
    config: { prices: { inputPerMillion: 1_000, cachedInputPerMillion: 100, outputPerMillion: 10_000 } },
    calls: 1,
    check({ replies: [first] }) {
      expect(first!.usage).toMatchObject({ promptTokens: 100, cachedTokens: 80, reasoningTokens: 15 });
      // 20 at 1,000, 80 at 100 and 20 at 10,000.
      expect(first!.usage.usd).toBeCloseTo(0.02 + 0.008 + 0.2);
    },
  },
  {
    row: 'signatures and reasoning beside calls are demanded',
    name: 'sent to the model that gave them, and to no other',
    script: twice({ reply: 'Three.' }),
    request: {
      tools,
      turns: ['m m-1', 'other m-1'].flatMap((by, index) => [
        {
          role: 'assistant' as const,
          content: '',
          toolCalls: [
            {
              id: `c${index}`,
              name: 'look_up',
              arguments: '{}',
              extras: { by, call: { mark: by }, turn: { thought: by } },
            },
          ],
        },
        { role: 'tool' as const, toolCallId: `c${index}`, content: 'found' },
      ]),
    },
    check({ sent }) {
      const [own, other] = sent[0]!.messages.filter(({ role }) => role === 'assistant') as unknown as {
        thought?: string;
        tool_calls: { mark?: string }[];
      }[];
      expect([own!.thought, own!.tool_calls[0]!.mark]).toEqual(['m m-1', 'm m-1']);
      expect([other!.thought, other!.tool_calls[0]!.mark]).toEqual([undefined, undefined]);
    },
  },
  ...(['as text', 'as bare JSON'] as const).map((toolCalls): Row => ({
    row: 'calls of tools stand in the text',
    name: toolCalls,
    habits: { toolCalls },
    script: [{ toolCalls: [{ name: 'look_up', arguments: { id: 7 } }] }],
    request: { tools },
    calls: 1,
    check({ replies: [first] }) {
      const called = { id: 'call00001', name: 'look_up', arguments: '{"id":7}' };
      expect(first).toMatchObject({ text: '', toolCalls: [called] });
    },
  })),
  {
    row: 'calls of tools stand in the text',
    name: 'JSON that calls no tool of the worker is an answer',
    script: [{ reply: '{"name":"Ann","arguments":["a"]}' }],
    request: { tools },
    calls: 1,
    check: (seen) => expect(texts(seen)).toEqual(['{"name":"Ann","arguments":["a"]}']),
  },
];
