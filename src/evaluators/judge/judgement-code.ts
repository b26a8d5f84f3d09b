import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { isJsonObject, type JsonObject } from '../../lib/json/json';
import { askForCode } from '../../lib/text/asked-code';
import type { ChatMessage, ChatTurn, ReplySchema } from '../../lib/models/types';

/** The description of the code in prompts and forms, so that both use one wording. */
export const CODE_FIELD = 'code: the code at the end of the prompt';

/** Draws a code for one call: the judged text's author cannot foresee it, nor can quotes contain it. */
export function drawnCode(messages: readonly Pick<ChatMessage, 'content'>[]): string {
  let code: string;
  do code = randomBytes(8).toString('hex');
  while (messages.some(({ content }) => content.includes(code)));
  return code;
}

/** A turn between results of tools and the question: Mistral's models refuse a user's turn right after a result. */
const BRIDGE: ChatTurn = { role: 'assistant', content: 'I looked that up.' };

export function withCode(
  { messages, turns }: { messages: readonly ChatMessage[]; turns: readonly ChatTurn[] },
  question: string,
  code: string,
): { messages: ChatMessage[]; turns?: ChatTurn[] } {
  const last = askForCode(code, question);
  if (turns.length > 0) return { messages: [...messages], turns: [...turns, BRIDGE, { role: 'user', content: last }] };
  return {
    messages: messages.map((message, index) =>
      index < messages.length - 1 ? message : { ...message, content: `${message.content}\n\n${last}` },
    ),
  };
}

export function replySchema(name: string, reply: z.ZodType): ReplySchema {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(reply);
  return { name, schema: schema as JsonObject };
}

export function formWithCode({ name, schema }: ReplySchema, code: string): ReplySchema {
  const { properties, required } = schema;
  const field: JsonObject = { type: 'string', enum: [code] };
  return {
    name,
    schema: {
      ...schema,
      properties: { code: field, ...(isJsonObject(properties) ? properties : {}) },
      required: ['code', ...(Array.isArray(required) ? required : [])],
    },
  };
}
