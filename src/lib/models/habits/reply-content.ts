import { fieldOf, textIn } from './read-json';
import { assertFewParts } from './reply-size';

export interface ReplyContent {
  text: string;
  refusal: string;
  thought: string;
}

function partText(part: unknown): string {
  return textIn(part, 'text') || textIn(fieldOf(part, 'text'), 'value');
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

/** Reads content that is a text, a list of parts, or one part. */
export function contentOf(content: unknown): ReplyContent {
  const given: unknown[] = Array.isArray(content) ? content : [content];
  assertFewParts(given.length);
  const parts = given.map(contentOfPart);
  const joinParts = (name: keyof ReplyContent): string => parts.map((part) => part[name] ?? '').join('');
  return { text: joinParts('text'), refusal: joinParts('refusal'), thought: joinParts('thought') };
}

export function messageContent(message: unknown): ReplyContent {
  const { text, refusal, thought } = contentOf(fieldOf(message, 'content'));
  const beside = textIn(message, 'reasoning_content') || textIn(message, 'reasoning') || textIn(message, 'thinking');
  return { text, refusal: refusal || textIn(message, 'refusal'), thought: thought + beside };
}

const OPENED = /^\s*<(think|thinking|thought|reasoning)>/i;
const TAG = /<(\/?)(think|thinking|thought|reasoning)>/gi;
/** The tag that closes is the last of its line: a text that is about such tags has them within lines, or goes on with its sentence. */
const ENDS_LINE = /^[ \t]*(?:$|\r?\n(?![ \t]*\p{Ll}))/u;
const FENCE = /^[ \t]{0,3}(?:`{3}|~{3})/gm;
const EDIT = /^[ \t]{0,20}<{5,9} ?SEARCH\b/im;

export interface SplitReply {
  text: string;
  thought: string;
  /** The part that was left out, if it may belong to the text. */
  warning?: string;
}

/**
 * Finds the end of reasoning that a template opened in the prompt, so that only its closing tag is in the reply.
 * Returns undefined if the tag may be the text's own: one that was opened before it, is in a fence or in an edit, ends a sentence, or is
 * not the only one.
 */
function closingTag(text: string): { start: number; end: number; tag: string } | undefined {
  const [first, second] = text.matchAll(TAG);
  if (first?.[1] !== '/' || second?.[1] === '/') return undefined;
  const { 0: tag, index: start } = first;
  const before = text.slice(0, start);
  const end = start + tag.length;
  const isFenced = (before.match(FENCE)?.length ?? 0) % 2 === 1;
  // The end of a sentence about it.
  const isSpoken = text.slice(end).trim() === '' && /[\p{L}\p{N}] $/u.test(before);
  const isOwn = isFenced || isSpoken || EDIT.test(before) || !ENDS_LINE.test(text.slice(end));
  return isOwn ? undefined : { start, end, tag };
}

/**
 * Returns a text without the reasoning that it begins with. Many templates open the tag in the prompt, so that only the
 * closing one is in the reply. No reply follows reasoning that does not end.
 */
export function withoutThought(text: string): SplitReply {
  const [opening, tag] = OPENED.exec(text) ?? [];
  if (opening === undefined || tag === undefined) {
    const closing = closingTag(text);
    if (!closing) return { text, thought: '' };
    const warning = `what stands before ${closing.tag} was taken for reasoning, and left out`;
    return { text: text.slice(closing.end).trimStart(), thought: text.slice(0, closing.start), warning };
  }
  const end = text.toLowerCase().indexOf(`</${tag.toLowerCase()}>`);
  if (end === -1) return { text: '', thought: text.slice(opening.length) };
  const spoken = { text: text.slice(end + tag.length + 3).trimStart(), thought: text.slice(opening.length, end) };
  // The usual tag is that of a model that thinks; the prompt may have requested the others.
  const isUsual = tag.toLowerCase() === 'think';
  return isUsual ? spoken : { ...spoken, warning: `what stands in <${tag}> was taken for reasoning, and left out` };
}

const MAY_OPEN = /^\s*<[a-z]*$/i;

/**
 * Returns the visible part of a text that goes on: nothing while it may be reasoning. If a reply has only the closing
 * tag, the reasoning before it cannot be distinguished from the text until the tag arrives.
 */
export function spokenSoFar(text: string): string {
  return MAY_OPEN.test(text) ? '' : withoutThought(text).text;
}
