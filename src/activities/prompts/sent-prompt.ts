import { JUDGEMENT } from '../../evaluators/judge/judge-prompt';
import type { SentMessage, SentPrompt } from '../../lib/contract/model-calls';
import { omitUndefined } from '../../lib/base/defined';
import { isJsonObject, type Json } from '../../lib/json/json';
import type { ChatMessage, ChatRequest, ChatTurn } from '../../lib/models/types';
import { redact } from '../../lib/redact';
import { CODE_WORD, HIDDEN_CODE } from '../../lib/text/asked-code';

const MOST_CHARACTERS = 1_000_000;

/** Makes texts of a call fit to be shown or kept: without codes of judges, without secrets, and not too long. */
export type Cleaner = (text: string) => string;

export function cleanerOf({ code }: Pick<ChatRequest, 'code'>): Cleaner {
  return (text) => {
    const safe = redact(text, { length: MOST_CHARACTERS });
    if (code === undefined) return safe;
    const plain = safe.replaceAll(code, HIDDEN_CODE);
    return plain.startsWith(JUDGEMENT) ? plain.replaceAll(CODE_WORD, HIDDEN_CODE) : plain;
  };
}

function cleanInside(value: Json, clean: Cleaner): Json {
  if (typeof value === 'string') return clean(value);
  if (Array.isArray(value)) return value.map((item) => cleanInside(item, clean));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [clean(key), cleanInside(item, clean)]));
}

function messageOf({ role, content, attachments = [] }: ChatMessage, clean: Cleaner): SentMessage {
  const described = attachments.map(({ kind, name, mediaType, url }) =>
    clean([kind, name, mediaType, url].filter(Boolean).join(', ')),
  );
  return { role, text: clean(content), ...(described.length > 0 && { attachments: described }) };
}

function turnOf(turn: ChatTurn, clean: Cleaner): SentMessage {
  const message = { role: turn.role, text: clean(turn.content) };
  if (turn.role !== 'assistant' || !turn.toolCalls) return message;
  const toolCalls = turn.toolCalls.map((call) => ({ name: clean(call.name), arguments: clean(call.arguments) }));
  return { ...message, toolCalls };
}

export function sentPrompt(request: ChatRequest): SentPrompt {
  const { model, messages, turns = [], tools, reply, toolChoice } = request;
  const { temperature, seed, topP, stop, reasoningEffort, maxTokens } = request;
  const clean = cleanerOf(request);
  const settings = omitUndefined({ temperature, seed, topP, stop, reasoningEffort, maxTokens, toolChoice });
  return omitUndefined({
    model,
    messages: [...messages.map((each) => messageOf(each, clean)), ...turns.map((each) => turnOf(each, clean))],
    tools: tools?.map(({ name, description, parameters }) => ({
      name,
      description: clean(description),
      parameters: cleanInside(parameters, clean),
    })),
    form: reply && cleanInside(reply.schema, clean),
    settings:
      Object.keys(settings).length > 0 ? (cleanInside(settings as Json, clean) as Record<string, Json>) : undefined,
  });
}
