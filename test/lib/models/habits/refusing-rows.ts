import { type Row, type Seen, texts, twice } from './row';

const reply = { name: 'verdict', schema: { type: 'object' } };
const system = [
  { role: 'system' as const, content: 'Be brief.' },
  { role: 'user' as const, content: 'Write.' },
];
const background = { began: () => undefined, isWanted: () => Promise.resolve(true) };

const wordsAfter =
  (requests: number) =>
  ({ replies, errors, sent }: Seen): void => {
    expect(errors).toEqual([]);
    expect(replies.map(({ text }) => text)).toEqual(['{"ok":true}', '{"ok":true}']);
    expect(sent.map(({ response_format: asked }) => asked !== undefined)).toEqual([
      true,
      ...Array.from({ length: requests - 1 }, () => false),
    ]);
    expect(replies.map(({ warnings }) => warnings)).toEqual([
      [expect.stringContaining('no response_format')],
      [expect.stringContaining('no response_format')],
    ]);
  };

const schemaRows = ([400, 422, 500] as const).flatMap((status) =>
  (['name', 'detail'] as const).map((tells): Row => ({
    row: '`response_format` is refused',
    name: `by ${status}, told by ${tells}`,
    habits: { refuses: { response_format: status }, tells },
    script: twice({ reply: { ok: true } }),
    request: { reply },
    check: wordsAfter(3),
  })),
);

const backgroundRows = (['completed', 'without status'] as const).map((atOnce): Row => ({
  row: '`/responses` answers at once',
  name: atOnce,
  habits: { responses: atOnce },
  responses: 'background',
  script: twice({ reply: 'Three.' }),
  config: { background: true },
  request: { background },
  check(seen) {
    expect(texts(seen)).toEqual(['Three.', 'Three.']);
    expect(seen.replies.map(({ warnings }) => warnings)).toEqual([
      [expect.stringContaining('no background responses')],
      [expect.stringContaining('no background responses')],
    ]);
    expect(seen.sent.map((body) => body.background === true)).toEqual([true, false]);
  },
}));

/** Servers that refuse a part of a request, or do not do what it asks for. */
export const REFUSING_ROWS: Row[] = [
  ...schemaRows,
  {
    row: '`response_format` is refused',
    name: 'after the reply to it, which the server cannot read',
    script: [
      { reply: { ok: true } },
      {
        status: 500,
        error: { message: 'The model produced output that does not match the expected peg-native format' },
      },
      ...twice({ reply: { ok: true } }),
    ],
    calls: 3,
    request: { reply },
    check({ replies, errors, sent }) {
      expect(errors).toEqual([]);
      expect(replies.map(({ text }) => text)).toEqual(['{"ok":true}', '{"ok":true}', '{"ok":true}']);
      expect(sent.map(({ response_format: asked }) => asked !== undefined)).toEqual([true, true, false, false]);
    },
  },
  {
    row: '`response_format` is refused',
    name: 'without a word of what it is about: the error names the setting',
    habits: { refuses: { response_format: 400 }, tells: 'nothing' },
    script: [],
    request: { reply },
    calls: 1,
    check({ errors, sent }) {
      expect(errors).toEqual([expect.objectContaining({ status: 400 })]);
      expect(errors[0]!.message).toContain('`structuredOutput: false`');
      expect(sent).toHaveLength(1);
    },
  },
  {
    row: '`response_format` is refused',
    name: 'and so is everything else: an outage teaches nothing',
    script: [{ status: 500 }, { reply: { ok: true } }],
    request: { reply },
    check({ errors, replies, sent }) {
      expect(errors).toEqual([expect.objectContaining({ status: 500 })]);
      expect(replies[0]!.warnings).toBeUndefined();
      expect(sent.map(({ response_format: asked }) => asked !== undefined)).toEqual([true, true]);
    },
  },
  {
    row: '`response_format` is refused',
    name: 'where it is always to be asked for: an error',
    habits: { refuses: { response_format: 400 } },
    script: [],
    config: { structuredOutput: true },
    request: { reply },
    calls: 1,
    check: ({ errors, sent }) => {
      expect(errors).toEqual([expect.objectContaining({ status: 400 })]);
      expect(sent).toHaveLength(1);
    },
  },
  {
    row: '`max_completion_tokens` is refused or ignored',
    name: 'refused',
    habits: { refuses: { max_completion_tokens: 400 } },
    script: twice({ reply: 'Three.' }),
    request: { maxTokens: 50 },
    check(seen) {
      expect(texts(seen)).toEqual(['Three.', 'Three.']);
      expect(seen.sent.map(({ max_tokens: limit }) => limit)).toEqual([undefined, 50, 50]);
    },
  },
  {
    row: '`max_completion_tokens` is refused or ignored',
    name: 'ignored',
    script: [{ reply: 'Three.', usage: { prompt: 10, completion: 80 } }, { reply: 'Four.' }],
    request: { maxTokens: 50 },
    check(seen) {
      expect(texts(seen)).toEqual(['Three.', 'Four.']);
      expect(seen.replies[0]!.warnings).toEqual([
        expect.stringMatching(/80 tokens, and 50 were allowed.*`limitField: max_tokens`/),
      ]);
      expect(seen.sent.map(({ max_completion_tokens: limit }) => limit)).toEqual([50, 50]);
    },
  },
  {
    row: '`max_completion_tokens` is refused or ignored',
    name: 'a setting decides',
    habits: { refuses: { max_tokens: 400 } },
    script: [],
    config: { limitField: 'max_tokens' },
    request: { maxTokens: 50 },
    calls: 1,
    check({ errors, sent }) {
      expect(errors).toEqual([expect.objectContaining({ status: 400 })]);
      expect(sent).toEqual([expect.objectContaining({ max_tokens: 50 })]);
    },
  },
  {
    row: '`stream` is refused',
    name: 'where somebody reads along',
    habits: { refuses: { stream: 400 } },
    script: twice({ reply: 'Three.' }),
    request: { onText: () => undefined },
    check(seen) {
      expect(texts(seen)).toEqual(['Three.', 'Three.']);
      expect(seen.sent.map((body) => body.stream !== undefined)).toEqual([true, false, false]);
    },
  },
  {
    row: '`stream_options` is refused',
    name: 'so the usage is estimated',
    habits: { refuses: { stream_options: 400 } },
    script: twice({ reply: 'Three.' }),
    config: { stream: true },
    check(seen) {
      expect(texts(seen)).toEqual(['Three.', 'Three.']);
      expect(seen.replies.map(({ usage }) => usage.estimated)).toEqual([true, true]);
      expect(seen.sent.map((body) => body.stream_options !== undefined)).toEqual([true, false, false]);
    },
  },
  ...([400, 500] as const).map((status): Row => ({
    row: 'the role `system` is refused',
    name: `by ${status}`,
    habits: { refuses: { system: status } },
    script: twice({ reply: 'Three.' }),
    request: { messages: system },
    check(seen) {
      expect(texts(seen)).toEqual(['Three.', 'Three.']);
      const folded = [{ role: 'user', content: 'Be brief.\n\nWrite.' }];
      expect(seen.sent.map(({ messages }) => messages)).toEqual([system, folded, folded]);
    },
  })),
  {
    row: 'the role `system` is refused',
    name: 'known from the settings',
    habits: { refuses: { system: 400 } },
    script: [{ reply: 'Three.' }],
    config: { systemRole: false },
    request: { messages: system },
    calls: 1,
    check: (seen) => {
      expect(texts(seen)).toEqual(['Three.']);
      expect(seen.sent).toHaveLength(1);
    },
  },
  {
    row: 'replies without a limit never end',
    name: 'a default limit is sent',
    script: twice({ reply: 'Three.' }),
    check: ({ sent }) => expect(sent.map((body) => body.max_completion_tokens)).toEqual([16_384, 16_384]),
  },
  {
    row: 'replies without a limit never end',
    name: 'the time-out names the limit',
    script: [{ fault: 'stall', reply: 'half' }],
    config: { maxOutputTokens: 700 },
    request: { timeoutMs: 150 },
    calls: 1,
    check: ({ errors }) =>
      expect(errors[0]!.message).toMatch(/within 150 ms\. .*up to 700 tokens \(maxOutputTokens of the model\)/),
  },
  {
    row: 'replies without a limit never end',
    name: 'an endpoint that can write less gets none',
    habits: { refuses: { 'a large limit': 400 } },
    script: twice({ reply: 'Three.' }),
    check(seen) {
      expect(texts(seen)).toEqual(['Three.', 'Three.']);
      expect(seen.sent.map((body) => body.max_completion_tokens)).toEqual([16_384, undefined, undefined]);
      expect(seen.replies[1]!.warnings).toEqual([expect.stringContaining('set maxOutputTokens')]);
    },
  },
  ...backgroundRows,
  {
    row: '`/responses` answers at once',
    name: 'or refuses `background`',
    habits: { refuses: { background: 400 } },
    responses: 'background',
    script: twice({ reply: 'Three.' }),
    config: { background: true },
    request: { background },
    check(seen) {
      expect(texts(seen)).toEqual(['Three.', 'Three.']);
      expect(seen.sent.map((body) => body.background === true)).toEqual([true, false, false]);
    },
  },
];
