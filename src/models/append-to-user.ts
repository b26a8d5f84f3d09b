import type { ChatMessage } from './types';

/** The messages with a text at the end of the last thing that the user says. */
export function appendToUser(messages: readonly ChatMessage[], text: string): ChatMessage[] {
  const at = messages.findLastIndex(({ role }) => role === 'user');
  if (at === -1) return [...messages, { role: 'user', content: text }];
  return messages.map((message, index) =>
    index === at ? { ...message, content: `${message.content}\n\n${text}` } : message,
  );
}
