import pc from 'picocolors';
import { renderCount } from '../../../lib/text/counted';
import { oneLine as cutLine } from '../../../lib/text/summary-text';
import { characterNumber, replaceUnseen } from '../../../lib/text/unseen';

/** Makes text from outside safe to print: escapes could move the cursor or retitle the window. Lines and tabs stay. */
export function printable(text: string): string {
  const show = (one: string): string => (/\p{Cc}/u.test(one) ? '\ufffd' : characterNumber(one));
  return replaceUnseen(text.replace(/\r\n?/g, '\n'), show);
}

export function oneLine(text: string, limit = 160): string {
  return cutLine(printable(text), limit);
}

export function count(number: number, noun: string): string {
  return renderCount(number, noun, number.toLocaleString('en'));
}

export function seconds(milliseconds: number): string {
  if (milliseconds < 60_000) return `${(milliseconds / 1000).toFixed(1)} s`;
  const minutes = Math.floor(milliseconds / 60_000);
  if (minutes < 60) return `${minutes} min ${Math.round((milliseconds % 60_000) / 1000)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

export function command(text: string): string {
  return pc.cyan(text);
}
