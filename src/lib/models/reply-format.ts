import { appendToUser } from './append-to-user';
import type { ChatMessage, ChatRequest, ReplySchema } from './types';

type SentFormat = Omit<ReplySchema, 'words'> & { strict: boolean };

export function sentFormat({ reply }: ChatRequest, takesSchema: boolean): SentFormat | undefined {
  if (!reply || !takesSchema) return undefined;
  const { name, schema, strict = true } = reply;
  return { name, schema, strict };
}

export function addReplyFormat({ messages, reply }: ChatRequest, format: SentFormat | undefined): ChatMessage[] {
  return format || reply?.words === undefined ? messages : appendToUser(messages, reply.words);
}
