import pc from 'picocolors';
import { renderCount } from '../../../lib/text/counted';
import { oneLine as cutLine } from '../../../lib/text/summary-text';

// What a model wrote may hold escape sequences that move the cursor or retitle the window of the reader.
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** Makes text from outside safe to print; lines and tabs stay. */
export function printable(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(CONTROL, '\ufffd');
}

/** Puts text from outside on one line of at most `limit` characters. */
export function oneLine(text: string, limit = 160): string {
  return cutLine(printable(text), limit);
}

/** Renders a number with its noun: `3 issues`, `1 issue`. */
export function count(number: number, noun: string): string {
  return renderCount(number, noun, number.toLocaleString('en'));
}

/** Renders milliseconds in the unit that is easiest to read. */
export function seconds(milliseconds: number): string {
  if (milliseconds < 60_000) return `${(milliseconds / 1000).toFixed(1)} s`;
  const minutes = Math.floor(milliseconds / 60_000);
  if (minutes < 60) return `${minutes} min ${Math.round((milliseconds % 60_000) / 1000)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Colours a command to type. */
export function command(text: string): string {
  return pc.cyan(text);
}
