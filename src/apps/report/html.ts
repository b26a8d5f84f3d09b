import type { Json } from '../../lib/json/json';

/** HTML that was made by `html`: it is not escaped again. */
export class Html {
  constructor(readonly text: string) {}
}

/** A value in a template: text is escaped, lists are joined, and undefined and false are left out. */
export type Part = Html | string | number | undefined | false | readonly Part[];

// Characters that are invisible or turn the order of characters around, as an author of a text could use them to hide something.
// Half a pair of surrogates is not a character.
const UNSEEN =
  // oxlint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff\u{e0000}-\u{e007f}]/gu;

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Escapes text from outside, for content and quoted attributes. Invisible characters are shown by their numbers. */
export function escapeHtml(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(UNSEEN, (one) => `⟦U+${one.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}⟧`)
    .replace(/[&<>"']/g, (one) => ENTITIES[one]!);
}

function textOfPart(part: Part): string {
  if (part === undefined || part === false) return '';
  if (part instanceof Html) return part.text;
  if (typeof part === 'string') return escapeHtml(part);
  return typeof part === 'number' ? String(part) : part.map(textOfPart).join('');
}

/**
 * Renders JSON for a reader, who may edit it: characters that are invisible or turn the order of characters around are written as
 * escapes of JSON.
 */
export function readableJson(value: Json): string {
  return JSON.stringify(value, null, 2).replace(UNSEEN, (one) =>
    Array.from({ length: one.length }, (_, at) => `\\u${one.charCodeAt(at).toString(16).padStart(4, '0')}`).join(''),
  );
}

/**
 * Builds HTML from a template whose values are escaped. They may be in content and in quoted attributes, not in scripts or
 * styles.
 */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  return new Html(strings.map((string, index) => string + textOfPart(parts[index])).join(''));
}
