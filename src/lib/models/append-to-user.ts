import type { ChatMessage } from './types';

export function appendToUser(messages: readonly ChatMessage[], text: string): ChatMessage[] {
  const at = messages.findLastIndex(({ role }) => role === 'user');
  if (at === -1) return [...messages, { role: 'user', content: text }];
  return messages.map((message, index) =>
    index === at ? { ...message, content: `${message.content}\n\n${text}` } : message,
  );
}
