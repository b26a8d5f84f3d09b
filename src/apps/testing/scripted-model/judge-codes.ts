import { askedCode } from '../../../lib/text/asked-code';

const LABEL = /^\W{0,5}(?:verdict|score|better|q1)\W/im;

export function wordsOf(content: unknown): string {
  const parts: unknown[] = Array.isArray(content) ? content : [content];
  const texts = parts.map((part) => (typeof part === 'object' && part !== null && 'text' in part ? part.text : part));
  return texts.filter((text) => typeof text === 'string').join('');
}

/**
 * Returns a judge's reply with the code that the end of its prompt asks for, as a judge returns it that keeps to the form: a
 * field of an object, or a line before the first one with a label. The author of a script cannot know the code.
 */
export function withAskedCode(reply: string, prompt: string): string {
  const code = askedCode(prompt);
  if (code === undefined || reply.includes(code)) return reply;
  const object = objectIn(reply);
  if (object) return 'code' in object ? reply : JSON.stringify({ code, ...object });
  return reply.replace(LABEL, (line) => `Code: ${code}\n${line}`);
}

function objectIn(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
