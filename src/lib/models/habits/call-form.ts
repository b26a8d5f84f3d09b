import { createHash } from 'node:crypto';
import type { ChatRequest, ModelConfig, SuggestedSetting } from '../types';

/**
 * Something that an endpoint was found not to do, for one model: `schema` for any reply, `schema KEY` for one form of reply,
 * the others as their fields and roles are called.
 */
export type Lesson =
  | 'schema'
  | `schema ${string}`
  | 'max_completion_tokens'
  | 'default limit'
  | 'system'
  | 'stream'
  | 'stream_options'
  | 'background'
  | 'schema with tools'
  | 'tool_choice'
  | 'extras'
  | 'reasoning_content'
  | 'null content'
  | 'thought_signature'
  | SuggestedSetting;

export interface CallForm {
  /** Asks for a reply of a schema by `response_format`; else the prompt's words must do. */
  schema: boolean;
  schemaWithTools: boolean;
  /** Whether a request says that no tool may be called; else calls are left out of the reply. */
  toolChoice: boolean;
  /** Whether what the provider put beside its calls is sent back. */
  extras: boolean;
  /** Whether each turn of the model has a `reasoning_content`, empty where none was kept. */
  reasoning: boolean;
  /** Whether calls that another model made carry Google's word for a missing signature. */
  signatures: boolean;
  /** Whether a turn that only calls tools has null for its text; else an empty text. */
  nullContent: boolean;
  limitField: 'max_completion_tokens' | 'max_tokens';
  /** Whether a reply without a limit gets that of the model. */
  defaultLimit: boolean;
  systemRole: boolean;
  /** Whether a reply is streamed whose text is shown while it is written. */
  stream: boolean;
  streamUsage: boolean;
  /** Whether a temperature that the caller only suggests is sent. */
  temperature: boolean;
  /** Whether a seed that the caller only suggests is sent. */
  seed: boolean;
}

/** Returns a key that distinguishes the form of one reply from others: its name if each call has a code of its own in it. */
export function schemaKeyOf({ reply, code }: Pick<ChatRequest, 'reply' | 'code'>): string {
  if (!reply) return '';
  return code === undefined ? createHash('sha256').update(JSON.stringify(reply.schema)).digest('hex') : reply.name;
}

/** Returns the form for one call of a model: its settings decide, and else what was found. */
export function formOf(config: ModelConfig, lessons: ReadonlySet<Lesson>, schemaKey = ''): CallForm {
  const isTaken = !lessons.has('schema') && !lessons.has(`schema ${schemaKey}`);
  return {
    schema: config.structuredOutput ?? isTaken,
    schemaWithTools: config.structuredOutput ?? !lessons.has('schema with tools'),
    toolChoice: !lessons.has('tool_choice'),
    extras: !lessons.has('extras'),
    reasoning: lessons.has('reasoning_content'),
    nullContent: !lessons.has('null content'),
    signatures: lessons.has('thought_signature'),
    limitField: config.limitField ?? (lessons.has('max_completion_tokens') ? 'max_tokens' : 'max_completion_tokens'),
    defaultLimit: !lessons.has('default limit'),
    systemRole: config.systemRole ?? !lessons.has('system'),
    stream: !lessons.has('stream'),
    streamUsage: !lessons.has('stream_options'),
    temperature: !lessons.has('temperature'),
    seed: !lessons.has('seed'),
  };
}

export function takesSchema({ schema, schemaWithTools }: CallForm, { tools }: Pick<ChatRequest, 'tools'>): boolean {
  return schema && (schemaWithTools || !tools);
}

/** Whether a reply is streamed: by the setting of the model, or else if a reader watches and the endpoint can stream. */
export function isStreamed({ stream }: ModelConfig, { onText }: Pick<ChatRequest, 'onText'>, form: CallForm): boolean {
  return stream ?? (onText !== undefined && form.stream);
}

export function usualForm(config: ModelConfig): CallForm {
  return formOf(config, new Set());
}
