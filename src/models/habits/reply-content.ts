import { fieldOf, textIn } from './read-json';
import { assertFewParts } from './reply-size';

/** What a reply says, refuses with, and shows of what its model thought. */
export interface ReplyContent {
  text: string;
  refusal: string;
  thought: string;
}

/** Some endpoints put the text of a part into an object. */
function partText(part: unknown, name = 'text'): string {
  return textIn(part, name) || textIn(fieldOf(part, name), 'value');
}

function contentOfPart(part: unknown): Partial<ReplyContent> {
  if (typeof part === 'string') return { text: part };
  const type = textIn(part, 'type');
  if (type === 'refusal') return { refusal: textIn(part, 'refusal') };
  if (/reason|think|thought/i.test(type)) {
    return { thought: partText(part) || textIn(part, 'thinking') || textIn(part, 'reasoning') };
  }
  return { text: partText(part) };
}

/** Content as a text, as a list of parts, or as one part. */
export function contentOf(content: unknown): ReplyContent {
  const given: unknown[] = Array.isArray(content) ? content : [content];
  assertFewParts(given.length);
  const parts = given.map(contentOfPart);
  const joined = (name: keyof ReplyContent): string => parts.map((part) => part[name] ?? '').join('');
  return { text: joined('text'), refusal: joined('refusal'), thought: joined('thought') };
}

/** A message, or the piece of one that an event of a stream brings. */
export function messageContent(message: unknown): ReplyContent {
  const { text, refusal, thought } = contentOf(fieldOf(message, 'content'));
  const beside = textIn(message, 'reasoning_content') || textIn(message, 'reasoning') || textIn(message, 'thinking');
  return { text, refusal: refusal || textIn(message, 'refusal'), thought: thought + beside };
}

const OPENED = /^\s*<(think|thinking|thought|reasoning)>/i;
/** The tag that closes is the last of its line: a text that is about such tags has them within lines. */
const CLOSED = /<\/(?:think|thinking|thought|reasoning)>[ \t]*(?:\r?\n|$)/i;

/**
 * A text without the reasoning that it begins with. Many templates open the tag in the prompt, so that only the one that closes
 * is in the reply. Reasoning that does not end has no reply behind it.
 */
export function withoutThought(text: string): { text: string; thought: string } {
  const [opening, tag] = OPENED.exec(text) ?? [];
  if (opening === undefined) {
    const closing = CLOSED.exec(text);
    if (!closing) return { text, thought: '' };
    return { text: text.slice(closing.index + closing[0].length).trimStart(), thought: text.slice(0, closing.index) };
  }
  const end = text.toLowerCase().indexOf(`</${tag!.toLowerCase()}>`);
  if (end === -1) return { text: '', thought: text.slice(opening.length) };
  return { text: text.slice(end + tag!.length + 3).trimStart(), thought: text.slice(opening.length, end) };
}

/** What may become the tag that opens reasoning. */
const MAY_OPEN = /^\s*<[a-z]*$/i;

/**
 * What is shown of a text that goes on: nothing while it may be reasoning. Where only the tag that closes is in a reply, the
 * reasoning before it cannot be told from the text until then.
 */
export function spokenSoFar(text: string): string {
  return MAY_OPEN.test(text) ? '' : withoutThought(text).text;
}
