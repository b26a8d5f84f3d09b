import { utf8Bytes } from '../json/json-bytes';

/**
 * Texts that become strings of Temporal's protocol: ids, names of types and queues, messages of failures. They are UTF-8
 * there, which cannot contain half of a surrogate pair: the SDK ends the worker that sends it, and each one that tries the
 * task again. Contents of payloads are JSON, which writes such a half as an escape.
 */

/** The maximum length of an id or a name in bytes: the server refuses longer ones. */
export const LONGEST_ID_BYTES = 1_000;

/** Half of a surrogate pair; of a whole one, `u` sees one character. */
const HALVES = /[\ud800-\udfff]/gu;
const HALF = /[\ud800-\udfff]/u;

/** Marks that turn the direction of the text around them, so that a reader sees another text than the one that is there. */
const BIDIRECTIONAL = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

const REPLACEMENT = '\ufffd';

/** Returns the reason why a text cannot be an id or a name in the protocol; undefined if it can. */
export function protocolTextProblem(text: string): string | undefined {
  if (HALF.test(text)) return 'has half of a surrogate pair: it was cut in the middle of a character, such as an emoji';
  if (text.includes('\0')) return 'has the character U+0000';
  const bytes = utf8Bytes(text);
  return bytes > LONGEST_ID_BYTES ? `has ${bytes} bytes as UTF-8; at most ${LONGEST_ID_BYTES} are possible` : undefined;
}

/** Repairs a text that was cut off another one: drops the half of a pair that the cut left at its end. */
export function wellCut(text: string): string {
  return text.replace(/[\ud800-\udbff]$/, '');
}

/** Repairs a text that is not valid UTF-16: half of a pair becomes U+FFFD. Any other text stays as it is. */
export function wellFormedText(text: string): string {
  return HALF.test(text) ? text.replace(HALVES, REPLACEMENT) : text;
}

/** Returns a text to show to users: well-formed, without U+0000 and without marks that turn its direction. */
export function shownText(text: string): string {
  return wellFormedText(text).replaceAll('\0', REPLACEMENT).replace(BIDIRECTIONAL, '');
}

/** Objects of other realms count, too, such as those of a workflow. */
function isPlain(value: object): value is Record<string, unknown> {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/**
 * Repairs the strings of a message of the protocol so that they are well-formed, keys of maps included; returns the same
 * message if they are. Bytes, of which payloads consist, and whatever has a class of its own are left as they are.
 */
export function wellFormedMessage<T>(message: T): T {
  return wellFormedPart(message) as T;
}

function wellFormedPart(part: unknown): unknown {
  if (typeof part === 'string') return wellFormedText(part);
  if (typeof part !== 'object' || part === null || ArrayBuffer.isView(part)) return part;
  if (Array.isArray(part)) {
    const items = part.map(wellFormedPart);
    return items.some((item, index) => item !== part[index]) ? items : part;
  }
  if (!isPlain(part)) return part;
  const before = Object.entries(part);
  const after = before.map(([key, value]) => [wellFormedText(key), wellFormedPart(value)] as const);
  const isChanged = after.some(([key, value], index) => key !== before[index]![0] || value !== before[index]![1]);
  return isChanged ? Object.fromEntries(after) : part;
}
