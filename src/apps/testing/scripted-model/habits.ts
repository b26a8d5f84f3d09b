import type { Answer } from './answer';
import type { LedgerEntry } from './script';

type Body = NonNullable<LedgerEntry['body']>;

/** A part of a request that a server can refuse. */
export type RefusedPart =
  | 'response_format'
  | 'max_completion_tokens'
  | 'max_tokens'
  | 'system'
  | 'stream'
  | 'stream_options'
  | 'a large limit'
  | 'temperature'
  | 'seed'
  | 'background';

/** How servers differ that speak the OpenAI protocol. By default this one does as OpenAI's own. */
export interface ServerHabits {
  /** Requests with such a part are refused with this status, before the script is asked. */
  refuses?: Partial<Record<RefusedPart, 400 | 422 | 500>>;
  /** The way in which a refusal names its reason: the name of the part, as FastAPI does, or no word of what it is about. */
  tells?: 'name' | 'detail' | 'nothing';
  /** Content is a list of parts. */
  content?: 'parts';
  /** The model's reasoning before its answer, and where the reply has it. */
  thinks?: { text: string; in: 'tags' | 'closing tag' | 'reasoning_content' | 'parts' };
  /** Usage is left out, is null, or has no numbers; or what it has beside the usual counts. */
  usage?: 'none' | 'null' | 'nulls' | 'zeros' | { cached: number; reasoning: number };
  /** Calls of tools are written into the text. */
  toolCalls?: 'as text' | 'as bare JSON';
  /** Responses that are to be made in the background are answered at once. */
  responses?: 'completed' | 'without status';
}

/** A limit that small models refuse. */
const LARGE = 8_192;

function hasPart(part: RefusedPart, body: Body): boolean {
  if (part === 'system') return body.messages.some(({ role }) => role === 'system');
  if (part === 'a large limit') return (body.max_completion_tokens ?? body.max_tokens ?? 0) > LARGE;
  return body[part] !== undefined;
}

const WORDS: Partial<Record<RefusedPart, string>> = {
  system: 'System role not supported',
  'a large limit': `This model's maximum context length is ${LARGE} tokens. However, you requested 16400 tokens (16 in the messages, 16384 in the completion).`,
};

export function refusalOf(
  { refuses = {}, tells = 'name' }: ServerHabits,
  body: Body,
): { status: number; body: string } | undefined {
  const found = Object.entries(refuses).find(([part]) => hasPart(part as RefusedPart, body));
  if (!found) return undefined;
  const [part, status] = found as [RefusedPart, number];
  const message = WORDS[part] ?? `Unsupported parameter: '${part}' is not supported with this model.`;
  const detail = [{ loc: ['body', part], msg: 'Extra inputs are not permitted', input: 'what was sent' }];
  const said = tells === 'detail' ? { detail } : { error: { message: tells === 'nothing' ? 'Bad request' : message } };
  return { status, body: JSON.stringify(said) };
}

function contentOf(text: string, { content, thinks }: ServerHabits): unknown {
  const thought = thinks?.in === 'parts' ? [{ type: 'reasoning', text: thinks.text }] : [];
  return content === 'parts' || thought.length > 0 ? [...thought, { type: 'text', text }] : text;
}

export function thoughtful(text: string | null, { thinks }: ServerHabits): string | null {
  if (thinks?.in === 'tags') return `<think>${thinks.text}</think>\n\n${text ?? ''}`;
  return thinks?.in === 'closing tag' ? `${thinks.text}\n</think>\n\n${text ?? ''}` : text;
}

export function messageFields(text: string | null, habits: ServerHabits): Record<string, unknown> {
  const { thinks } = habits;
  const beside = thinks?.in === 'reasoning_content' ? { reasoning_content: thinks.text } : {};
  return { content: text === null ? null : contentOf(text, habits), ...beside };
}

export function sentUsage(usage: Answer['usage'], habit: ServerHabits['usage']): unknown {
  if (usage === undefined || habit === 'none') return undefined;
  if (habit === 'null') return null;
  if (habit === 'nulls') return { prompt_tokens: null, completion_tokens: null, total_tokens: null };
  if (habit === 'zeros') return { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };
  if (habit === undefined) return usage;
  return {
    ...usage,
    prompt_tokens_details: { cached_tokens: habit.cached },
    completion_tokens_details: { reasoning_tokens: habit.reasoning },
  };
}

export function withWrittenCalls(answer: Answer, { toolCalls: habit }: ServerHabits): Answer {
  const { toolCalls, content } = answer;
  if (habit === undefined || toolCalls.length === 0) return answer;
  const calls = toolCalls.map(({ function: { name, arguments: given } }) => {
    const json = JSON.stringify({ name, arguments: JSON.parse(given) as unknown });
    return habit === 'as text' ? `<tool_call>\n${json}\n</tool_call>` : json;
  });
  return { ...answer, toolCalls: [], finishReason: 'stop', content: `${content ?? ''}${calls.join('\n')}` };
}
