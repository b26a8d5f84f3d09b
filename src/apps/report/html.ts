import type { Json } from '../../lib/json/json';
import { characterNumber, replaceUnseen } from '../../lib/text/unseen';

/** HTML that was made by `html`: it is not escaped again. */
export class Html {
  constructor(readonly text: string) {}
}

/** A value in a template: text is escaped, lists are joined, and undefined and false are left out. */
export type Part = Html | string | number | undefined | false | readonly Part[];

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Escapes text from outside, for content and quoted attributes. Invisible characters are shown by their numbers. */
export function escapeHtml(text: string): string {
  return replaceUnseen(text.replace(/\r\n?/g, '\n'), characterNumber).replace(/[&<>"']/g, (one) => ENTITIES[one]!);
}

function textOfPart(part: Part): string {
  if (part === undefined || part === false) return '';
  if (part instanceof Html) return part.text;
  if (typeof part === 'string') return escapeHtml(part);
  return typeof part === 'number' ? String(part) : part.map(textOfPart).join('');
}

/** Renders JSON to be edited: invisible and reordering characters are written as escapes of JSON. */
export function readableJson(value: Json): string {
  return replaceUnseen(JSON.stringify(value, null, 2), (one) =>
    Array.from({ length: one.length }, (_, at) => `\\u${one.charCodeAt(at).toString(16).padStart(4, '0')}`).join(''),
  );
}

/** Escapes the values of a template, for content and quoted attributes, not for scripts or styles. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  return new Html(strings.map((string, index) => string + textOfPart(parts[index])).join(''));
}
