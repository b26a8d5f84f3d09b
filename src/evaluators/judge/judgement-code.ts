import { randomBytes } from 'node:crypto';
import { isJsonObject, type JsonObject } from '../../domain/base/json';
import type { ChatMessage } from '../../models/types';

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
  const [last, ...before] = messages.toReversed();
  if (!last) return [];
  const told = `The code that belongs into your reply, and nowhere else, is: ${code}`;
  return [...before.toReversed(), { ...last, content: `${last.content}\n\n${told}` }];
}

/** The form of a reply with a field that can only be the code. */
export function formWithCode(
  { name, schema }: { name: string; schema: JsonObject },
  code: string,
): { name: string; schema: JsonObject } {
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
