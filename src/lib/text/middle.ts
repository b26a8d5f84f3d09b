import { bytesOfUnit, utf8Bytes } from '../json/json-bytes';
import { renderCount } from './counted';

/** Share of the bytes of a shortened text that its beginning gets. */
const BEGINNING = 3 / 4;

/** Returns the units of a text that fit into a number of bytes, from one of its ends. No surrogate pair is cut. */
function unitsWithin(text: string, bytes: number, isEnd: boolean): number {
  let left = bytes;
  let units = 0;
  while (units < text.length) {
    left -= bytesOfUnit(text.charCodeAt(isEnd ? text.length - 1 - units : units));
    if (left < 0) break;
    units += 1;
  }
  const inside = isEnd ? text.charCodeAt(text.length - units) : text.charCodeAt(units - 1);
  const isHalf = units > 0 && (isEnd ? inside >= 0xdc00 && inside < 0xe000 : inside >= 0xd800 && inside < 0xdc00);
  return isHalf ? units - 1 : units;
}

/** Returns a text of at most so many bytes whole, and a longer one without its middle, with a note that says so. */
export function withoutMiddle(text: string, most: number): string {
  if (text.length <= most / 3 || utf8Bytes(text) <= most) return text;
  const note = `\n[left out: ${renderCount(text.length, 'character')}]\n`;
  const room = Math.max(0, most - note.length);
  const beginning = text.slice(0, unitsWithin(text, room * BEGINNING, false));
  const end = text.slice(text.length - unitsWithin(text, room * (1 - BEGINNING), true));
  const left = text.length - beginning.length - end.length;
  return `${beginning}\n[left out: ${renderCount(left, 'character')}]\n${end}`;
}

export function lacksMiddle(text: string): boolean {
  return /\n\[left out: \d+ characters?\]\n/.test(text);
}
