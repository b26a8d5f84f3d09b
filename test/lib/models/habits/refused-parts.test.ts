import { APIError } from 'openai';
import { usualForm } from '../../../../src/lib/models/habits/call-form';
import { refusedPart } from '../../../../src/lib/models/habits/refusals';
import type { ChatRequest, ChatTurn } from '../../../../src/lib/models/types';

const config = { name: 'm', model: 'm' };
const tools = [{ name: 'look', description: '', parameters: {} }];
const reply = { name: 'output', schema: { type: 'object' } };
const called = (extras: boolean): ChatTurn[] => [
  {
    role: 'assistant',
    content: '',
    toolCalls: [{ id: 'a', name: 'look', arguments: '{}', ...(extras && { extras: { by: 'm m', turn: { x: 1 } } }) }],
  },
  { role: 'tool', toolCallId: 'a', content: 'found' },
];

function lessonOf(status: number, message: string, request: Partial<ChatRequest>): unknown {
  const put: ChatRequest = { messages: [], timeoutMs: 1, signal: new AbortController().signal, ...request };
  const error = APIError.generate(status, { error: { message } }, undefined, new Headers());
  return refusedPart(error, { config, request: put, form: usualForm(config) });
}

/** Bodies of errors as people quoted them in public, each with its thread. */
const ROWS: [lesson: string | undefined, message: string, request: Partial<ChatRequest>, status?: number][] = [
  // https://github.com/googleapis/python-genai/issues/867
  [
    'schema with tools',
    "Function calling with a response mime type: 'application/json' is unsupported",
    { tools, reply },
  ],
  // https://github.com/snailyp/gemini-balance/issues/264
  ['schema with tools', "Tool use with a response mime type: 'application/json' is unsupported", { tools, reply }],
  // https://github.com/BerriAI/litellm/issues/37980
  [
    'tool_choice',
    "litellm.UnsupportedParamsError: Bedrock doesn't support tool_choice=none.",
    { tools, toolChoice: 'none' },
  ],
  // https://github.com/boto/boto3/issues/4687
  [
    'tool_choice',
    'Unknown parameter in toolConfig.toolChoice: "none", must be one of: auto, any, tool',
    { tools, toolChoice: 'none' },
  ],
  // https://github.com/abhigyanpatwari/GitNexus/issues/43
  [
    'reasoning_content',
    'Missing `reasoning_content` field in the assistant message at message index 2.',
    { turns: called(false) },
  ],
  // https://github.com/earendil-works/pi/issues/3636
  [
    'reasoning_content',
    'The `reasoning_content` in the thinking mode must be passed back to the API.',
    { turns: called(true) },
  ],
  // https://github.com/continuedev/continue/issues/11711
  [
    'reasoning_content',
    'thinking is enabled but reasoning_content is missing in assistant tool call message at index 19',
    { turns: called(true) },
  ],
  // https://github.com/janhq/jan/issues/8136
  [
    'extras',
    "'messages.1' : for 'role:assistant' the following must be satisfied[('messages.1' : property 'reasoning_content' is unsupported)]",
    { turns: called(true) },
  ],
  // https://github.com/karthink/gptel/issues/774
  [
    'extras',
    "'messages.2' : for 'role:assistant' the following must be satisfied[('messages.2' : property 'reasoning' is unsupported, did you mean 'role'?)]",
    { turns: called(true) },
  ],
  // https://github.com/vercel/ai/pull/8057
  ['extras', 'messages[2].reasoning: reasoning is not supported with this model', { turns: called(true) }],
  // https://github.com/charmbracelet/crush/issues/1590
  [
    'extras',
    'body.messages.31.assistant.reasoning_content: Extra inputs are not permitted',
    { turns: called(true) },
    422,
  ],
  // https://github.com/openai/openai-python/issues/2758
  [
    'thought_signature',
    'Function call is missing a thought_signature in functionCall parts.',
    { turns: called(false) },
  ],
  // https://github.com/SAIL-Research-Lab/cheetahclaws/pull/72
  ['null content', 'invalid message content type: <nil>', { turns: called(false) }],
  // A part that the request does not have is not what is refused.
  [undefined, "property 'reasoning_content' is unsupported", { turns: called(false) }],
  [undefined, "Function calling with a response mime type: 'application/json' is unsupported", { tools }],
  [undefined, 'Function call is missing a thought_signature in functionCall parts.', {}],
];

test.each(ROWS)('the part that is refused is %s: %s', (lesson, message, request, status = 400) => {
  expect(lessonOf(status, message, request)).toBe(lesson);
});
