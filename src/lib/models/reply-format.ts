import { appendToUser } from './append-to-user';
import type { ChatMessage, ChatRequest, ReplySchema } from './types';

/** A schema as endpoints are sent it. */
type SentFormat = Omit<ReplySchema, 'words'> & { strict: boolean };

/** Returns the schema to send with a request; undefined if there is none, or if the model takes none. */
export function sentFormat({ reply }: ChatRequest, takesSchema: boolean): SentFormat | undefined {
  if (!reply || !takesSchema) return undefined;
  const { name, schema, strict = true } = reply;
  return { name, schema, strict };
}

/** Returns the messages of a request, with the form of the reply in words if its schema is not sent. */
export function addReplyFormat({ messages, reply }: ChatRequest, format: SentFormat | undefined): ChatMessage[] {
  return format || reply?.words === undefined ? messages : appendToUser(messages, reply.words);
}
