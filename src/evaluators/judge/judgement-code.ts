import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { isJsonObject, type JsonObject } from '../../domain/base/json/json';
import { askForCode } from '../../domain/text/asked-code';
import type { ChatMessage, ReplySchema } from '../../models/types';

/** What the code is called in prompts and forms, so that they say the same. */
export const CODE_FIELD = 'code: the code that stands at the end of the prompt, as it is there';

/**
 * A code that a judge puts into its reply, drawn for one call. Whoever wrote what is judged could not foresee it, so what they
 * wrote, and what a judge repeats of it, does not carry it.
 */
export function drawnCode(messages: readonly ChatMessage[]): string {
  let code: string;
  do code = randomBytes(8).toString('hex');
  while (messages.some(({ content }) => content.includes(code)));
  return code;
}

/** Messages that end with the code: what stands before it stays the same from call to call, for the caches of providers. */
export function withCode(messages: readonly ChatMessage[], code: string): ChatMessage[] {
  return messages.map((message, index) =>
    index < messages.length - 1 ? message : { ...message, content: `${message.content}\n\n${askForCode(code)}` },
  );
}

/** What a judge is asked to reply, for models with structured output; each call adds its code. */
export function replySchema(name: string, reply: z.ZodType): ReplySchema {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(reply);
  return { name, schema: schema as JsonObject };
}

/** The form of a reply with a field that can only be the code. */
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
