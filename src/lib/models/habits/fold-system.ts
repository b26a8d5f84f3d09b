import type { ChatMessage } from '../types';

/** Returns messages for an endpoint without the role `system`: the text of the system leads the first user message. */
export function foldedSystem(messages: readonly ChatMessage[]): ChatMessage[] {
  const system = messages.filter(({ role }) => role === 'system').map(({ content }) => content);
  if (system.length === 0) return [...messages];
  const others = messages.filter(({ role }) => role !== 'system');
  const first = others.findIndex(({ role }) => role === 'user');
  const lead = system.join('\n\n');
  if (first === -1) return [{ role: 'user', content: lead }, ...others];
  return others.map((message, index) =>
    index === first ? { ...message, content: `${lead}\n\n${message.content}` } : message,
  );
}
