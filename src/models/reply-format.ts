import { appendToUser } from './append-to-user';
import type { ChatMessage, ChatRequest, ReplySchema } from './types';

/** A schema as endpoints are sent it. */
type SentFormat = Omit<ReplySchema, 'words'> & { strict: boolean };

/** The schema that goes along with a request; undefined where there is none, or where the model takes none. */
export function sentFormat({ reply }: ChatRequest, takesSchema: boolean): SentFormat | undefined {
  if (!reply || !takesSchema) return undefined;
  const { name, schema, strict = true } = reply;
  return { name, schema, strict };
}

/** The messages of a request, with the form of the reply in words where its schema does not go along. */
export function toldMessages({ messages, reply }: ChatRequest, format: SentFormat | undefined): ChatMessage[] {
  return format || reply?.words === undefined ? messages : appendToUser(messages, reply.words);
}
