import { shownText } from '../../lib/names/protocol-text';
import type { Outcome } from '../contract/evaluation';
import { oneLine } from '../../lib/text/summary-text';

export const OUTCOME_MARK: Record<Outcome, string> = { pass: '✅', fail: '❌', inconclusive: '❔' };

/** Renders a text from outside on one line, cut to a number of characters before characters of Markdown are escaped. */
export function escapeMarkdown(text: string, most: number): string {
  return oneLine(shownText(text), most)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/[\\`*_{}[\]()#|!~]/g, '\\$&');
}

/** Joins paragraphs, each of one line or several; empty ones are left out. */
export function joinParagraphs(parts: readonly (string | readonly string[] | undefined | false)[]): string {
  return parts
    .map((part) => [part || []].flat().join('\n'))
    .filter((text) => text !== '')
    .join('\n\n');
}

export function renderCodeBlock(lines: readonly string[]): string[] {
  const longest = Math.max(2, ...lines.flatMap((line) => (line.match(/`+/g) ?? []).map((run) => run.length)));
  const fence = '`'.repeat(longest + 1);
  return [fence, ...lines.map(shownText), fence];
}

/** @param loop id of the run of its loop that is under way */
export function renderSignalsText(loop: string): string {
  return `Signals such as \`accept\` and \`abort\` go to the loop: ${escapeMarkdown(loop, 120)}`;
}
