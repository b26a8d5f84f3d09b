import type { ServerResponse } from 'node:http';
import { type Move, type Refused, sendJson, serveStrictly, type StrictServer, textOfMove } from './strict-server';

/** A message of chat completions as it goes over the wire. */
export interface WireMessage {
  role: string;
  content?: string | null;
  tool_call_id?: string;
  tool_calls?: WireCall[];
  [field: string]: unknown;
}

interface WireCall {
  id?: string;
  type: string;
  function: { name: string; arguments: unknown };
  [field: string]: unknown;
}

export interface WireBody {
  messages: WireMessage[];
  tools?: { function: { name: string } }[];
  tool_choice?: string;
  stream?: boolean;
}

/** A provider as strict as it is: how it dresses its replies, and what it refuses, in its own words. */
export interface StrictProvider {
  name: string;
  /** Public threads that quote the error. */
  threads: readonly string[];
  dress?(message: WireMessage): WireMessage;
  refuse(body: WireBody): Refused | undefined;
}

const refused = (message: string, more: object = {}): Refused => ({
  status: 400,
  json: { error: { message, type: 'invalid_request_error', ...more } },
});

const isOfModel = ({ role }: WireMessage): boolean => role === 'assistant';
const hasCalls = ({ tool_calls: calls }: WireMessage): boolean => calls !== undefined;
const dressCalls = (message: WireMessage, dress: (call: WireCall, index: number) => WireCall): WireMessage =>
  message.tool_calls ? { ...message, tool_calls: message.tool_calls.map(dress) } : message;
const fieldBeyond = (messages: readonly WireMessage[], known: readonly string[]): [number, string] | undefined => {
  for (const [index, message] of messages.entries()) {
    const unknown = Object.keys(message).find((field) => !known.includes(field));
    if (unknown !== undefined) return [index, unknown];
  }
  return undefined;
};
/** The thought that a model had before a message: the same for the same message, so that it can be demanded back. */
const thoughtBefore = ({ tool_calls: [first] = [] }: WireMessage): string =>
  `Thought about ${first?.function.name ?? 'the text'}.`;
const KNOWN = ['role', 'content', 'tool_calls', 'tool_call_id', 'refusal', 'name'];

/** What every endpoint refuses: ids twice, calls without an answer, arguments that are not JSON. */
export function refuseBroken({ messages }: WireBody): Refused | undefined {
  const ids = messages.flatMap(({ tool_calls: calls = [] }) => calls.map(({ id }) => id));
  // https://github.com/BerriAI/litellm/issues/23510
  if (new Set(ids).size !== ids.length || ids.includes(undefined)) return refused('`tool_use` ids must be unique');
  for (const [index, { tool_calls: calls }] of messages.entries()) {
    const answers = messages.slice(index + 1, index + 1 + (calls?.length ?? 0)).map(({ tool_call_id: id }) => id);
    const missing = calls?.find(({ id }) => !answers.includes(id));
    if (missing)
      return refused(
        `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${missing.id}`,
      );
    for (const call of calls ?? []) JSON.parse(call.function.arguments as string);
  }
  return undefined;
}

export const STRICT_PROVIDERS: readonly StrictProvider[] = [
  {
    name: 'OpenAI',
    threads: ['https://github.com/teabranch/open-responses-server/issues/41'],
    dress: (message) => ({ ...message, refusal: null, annotations: [] }),
    refuse({ messages }) {
      const [index, field] = fieldBeyond(messages, KNOWN) ?? [];
      const param = `messages[${index}].${field}`;
      return field === undefined
        ? undefined
        : refused(`Unknown parameter: '${param}'.`, { param, code: 'unknown_parameter' });
    },
  },
  {
    name: 'Gemini 3',
    threads: ['https://github.com/openai/openai-python/issues/2758', 'https://github.com/Gitlawb/openclaude/issues/67'],
    // Gives no ids, and signs the first call of each reply.
    dress: (message) =>
      dressCalls(message, ({ id: _id, ...call }, index) =>
        index > 0
          ? call
          : { ...call, extra_content: { google: { thought_signature: `signature-${call.function.name}` } } },
      ),
    refuse({ messages }) {
      const turns = messages.filter(hasCalls);
      const at = turns.findIndex(({ tool_calls: [first] = [] }) => {
        const { google } = (first!['extra_content'] ?? {}) as { google?: { thought_signature?: string } };
        return google?.thought_signature !== `signature-${first!.function.name}`;
      });
      if (at === -1) return undefined;
      const { name } = turns[at]!.tool_calls![0]!.function;
      const message = `Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance. Additional data, function call \`default_api:${name}\` , position ${at + 2}. Please refer to https://ai.google.dev/gemini-api/docs/thought-signatures for more details.`;
      return { status: 400, json: [{ error: { code: 400, message, status: 'INVALID_ARGUMENT' } }] };
    },
  },
  {
    name: 'DeepSeek',
    threads: [
      'https://github.com/MoonshotAI/kimi-cli/issues/2141',
      'https://github.com/openclaw/openclaw/issues/73417',
    ],
    dress: (message) => ({ ...message, reasoning_content: thoughtBefore(message) }),
    refuse({ messages }) {
      const said = messages.filter(isOfModel);
      const isWhole = said.every((message) => message['reasoning_content'] !== undefined);
      const isTrue = said.filter(hasCalls).every((message) => message['reasoning_content'] === thoughtBefore(message));
      return isWhole && isTrue
        ? undefined
        : refused('The `reasoning_content` in the thinking mode must be passed back to the API.');
    },
  },
  {
    name: 'Kimi',
    threads: [
      'https://github.com/bytedance/deer-flow/issues/3043',
      'https://github.com/continuedev/continue/issues/11711',
    ],
    // Its ids begin anew in each reply.
    dress: (message) => ({
      ...dressCalls(message, (call, index) => ({ ...call, id: `functions.${call.function.name}:${index}` })),
      reasoning_content: thoughtBefore(message),
    }),
    refuse({ messages }) {
      const at = messages.findIndex((message) => hasCalls(message) && !message['reasoning_content']);
      return at === -1
        ? undefined
        : refused(`thinking is enabled but reasoning_content is missing in assistant tool call message at index ${at}`);
    },
  },
  {
    name: 'Bedrock behind LiteLLM',
    threads: ['https://github.com/onyx-dot-app/onyx/issues/7842', 'https://github.com/BerriAI/litellm/issues/37980'],
    refuse({ messages, tools = [], tool_choice: choice }) {
      if (choice === 'none')
        return refused(
          "litellm.UnsupportedParamsError: Bedrock doesn't support tool_choice=none. Supported tool_choice values=['auto', 'required', json object].",
        );
      return messages.some(hasCalls) && tools.length === 0
        ? refused(
            'litellm.BadRequestError: BedrockException - b\'{"message":"The toolConfig field must be defined when using toolUse and toolResult content blocks."}\'',
          )
        : undefined;
    },
  },
  {
    name: 'Groq',
    threads: ['https://github.com/janhq/jan/issues/8136', 'https://github.com/karthink/gptel/issues/774'],
    dress: (message) => ({ ...message, reasoning: thoughtBefore(message) }),
    refuse({ messages }) {
      const [index, field] = fieldBeyond(messages, KNOWN) ?? [];
      const place = `messages.${index}`;
      return field === undefined
        ? undefined
        : refused(
            `'${place}' : for 'role:assistant' the following must be satisfied[('${place}' : property '${field}' is unsupported)]`,
          );
    },
  },
  {
    name: 'Mistral behind a proxy that adds the reasoning',
    threads: ['https://github.com/BerriAI/litellm/issues/30835', 'https://github.com/nearai/ironclaw/issues/1241'],
    dress: (message) => ({ ...dressCalls(message, ({ id: _id, ...call }) => call), reasoning_content: 'Thought.' }),
    refuse({ messages }) {
      const wrongId = messages
        .flatMap(({ tool_calls: calls = [] }) => calls)
        .find(({ id = '' }) => !/^\w{9}$/.test(id));
      if (wrongId)
        return refused(`Tool call id was ${wrongId.id} but must be a-z, A-Z, 0-9, with a length of 9.`, { code: 3280 });
      const [index, field] = fieldBeyond(messages, KNOWN) ?? [];
      const detail = [
        {
          type: 'extra_forbidden',
          loc: ['body', 'messages', index, 'assistant', field],
          msg: 'Extra inputs are not permitted',
          input: '\n',
        },
      ];
      return field === undefined
        ? undefined
        : { status: 422, json: { object: 'error', message: { detail }, type: 'invalid_request_error', code: null } };
    },
  },
  {
    name: 'vLLM',
    threads: ['https://github.com/vllm-project/vllm/issues/9426'],
    dress: (message) => ({ ...message, reasoning: thoughtBefore(message), reasoning_content: thoughtBefore(message) }),
    refuse: ({ tools, tool_choice: choice }) =>
      choice !== undefined && !tools
        ? {
            status: 400,
            json: {
              object: 'error',
              message:
                "[{'type': 'value_error', 'loc': ('body',), 'msg': 'Value error, When using `tool_choice`, `tools` must be set.'}]",
              type: 'BadRequestError',
              param: null,
              code: 400,
            },
          }
        : undefined,
  },
  {
    name: 'Ollama',
    threads: ['https://github.com/SAIL-Research-Lab/cheetahclaws/pull/72'],
    dress: (message) => dressCalls(message, (call, index) => ({ ...call, id: `call_${index}` })),
    refuse: ({ messages }) =>
      messages.some(({ content }) => content === null) ? refused('invalid message content type: <nil>') : undefined,
  },
];

/** The message of a move, before a provider dresses it. */
function messageOf(move: Move, turn: number, body: WireBody): WireMessage {
  if (!('calls' in move)) return { role: 'assistant', content: textOfMove(move, body)! };
  const calls = move.calls.map(({ name, input }, index): WireCall => {
    const called = { name, arguments: JSON.stringify(input) };
    return { id: `call_${turn}_${index}`, type: 'function', function: called };
  });
  return { role: 'assistant', content: null, tool_calls: calls };
}

const USAGE = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };

function whole(message: WireMessage): object {
  const ending = hasCalls(message) ? 'tool_calls' : 'stop';
  return {
    id: 'c',
    object: 'chat.completion',
    created: 0,
    model: 'm',
    choices: [{ index: 0, message, finish_reason: ending }],
    usage: USAGE,
  };
}

/** The pieces of a message in a stream: texts and arguments in halves, everything else as it is. */
function* pieces({ tool_calls: calls = [], ...fields }: WireMessage): Generator<object> {
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value !== 'string' || name === 'role') yield { [name]: value };
    else for (const half of [value.slice(0, 3), value.slice(3)]) yield { [name]: half };
  }
  for (const [index, { function: called, ...call }] of calls.entries()) {
    const text = called.arguments as string;
    yield { tool_calls: [{ index, ...call, function: { ...called, arguments: text.slice(0, 3) } }] };
    yield { tool_calls: [{ index, function: { arguments: text.slice(3) } }] };
  }
}

function sendEvents(response: ServerResponse, message: WireMessage): void {
  const send = (event: unknown): void => void response.write(`data: ${JSON.stringify(event)}\n\n`);
  const chunk = (delta: object, ending: string | null): object => ({
    id: 'c',
    object: 'chat.completion.chunk',
    created: 0,
    model: 'm',
    choices: [{ index: 0, delta, finish_reason: ending }],
  });
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const delta of pieces(message)) send(chunk(delta, null));
  send({ ...chunk({}, hasCalls(message) ? 'tool_calls' : 'stop'), usage: USAGE });
  response.end('data: [DONE]\n\n');
}

/** Starts a provider of chat completions that plays the moves; a request beyond the last is an error. */
export async function startStrictServer(
  { dress, refuse }: StrictProvider,
  moves: readonly Move[],
): Promise<StrictServer<WireBody>> {
  return serveStrictly<WireBody>(
    (body) => refuseBroken(body) ?? refuse(body),
    (body, response, turn) => {
      const move = moves[turn - 1];
      if (!move) return sendJson(response, { error: { message: 'The script has run out.' } }, 500);
      const plain = messageOf(move, turn, body);
      const message = dress ? dress(plain) : plain;
      return body.stream ? sendEvents(response, message) : sendJson(response, whole(message));
    },
  );
}
