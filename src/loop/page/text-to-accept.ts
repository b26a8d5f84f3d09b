import { withoutAttachments } from '../../lib/text/attachment-text';
import { textOf } from '../../lib/json/json';
import { bytesUpTo } from '../../lib/json/json-bytes';
import type { ReflectionVersion } from '../state/loop-state';
import { cutText } from '../../lib/text/summary-text';
import { listChanges } from './changes';
import { renderCount } from '../../lib/text/counted';

const COMPARED_BYTES = 32 * 1024;

export interface TextBounds {
  lines: number;
  lineCharacters: number;
  characters: number;
  changes: number;
}

/** The version that a waiting run would end with, as far as it is shown. */
export interface TextToAccept {
  iteration: number;
  head: string[];
  /** A note on the missing part of the text; undefined if nothing is missing. */
  missing?: string;
  /** The version that it is compared with; undefined if there is none. */
  before?: number;
  /** The changes since that version, one line for each change; empty if nothing changed. */
  changes: string[];
  moreChanges: number;
}

function headOf(
  text: string,
  { lines: most, lineCharacters, characters }: TextBounds,
): Pick<TextToAccept, 'head' | 'missing'> {
  const lines = text.split(/\r\n?|\n/);
  const head: string[] = [];
  let left = characters;
  for (const line of lines.slice(0, most)) {
    if (left <= 0) break;
    const shown = cutText(line, Math.min(lineCharacters, left));
    head.push(shown);
    left -= shown.length + 1;
  }
  const hidden = lines.length - head.length;
  const isCut = head.some((line, index) => line !== lines[index]);
  if (hidden === 0 && !isCut) return { head };
  const all = `${renderCount(text.length, 'character')} in all`;
  return { head, missing: hidden > 0 ? `${renderCount(hidden, 'more line')}, ${all}` : `long lines are cut, ${all}` };
}

export function textToAccept(
  versions: readonly ReflectionVersion[],
  iteration: number,
  bounds: TextBounds,
): TextToAccept | undefined {
  const at = versions.findLastIndex((version) => version.iteration === iteration);
  const version = versions[at];
  if (!version) return undefined;
  const none = { iteration, head: [], changes: [], moreChanges: 0 };
  if (version.omittedBytes !== undefined)
    return { ...none, missing: `all of it, ${renderCount(version.omittedBytes, 'byte')}` };
  const text = { ...none, ...headOf(textOf(withoutAttachments(version.output)), bounds) };
  const before = versions[at - 1];
  const isSmall = (one: ReflectionVersion): boolean => bytesUpTo(one.output, COMPARED_BYTES) < COMPARED_BYTES;
  if (!before || before.omittedBytes !== undefined || !isSmall(before) || !isSmall(version)) return text;
  const changes = listChanges(before.output, version.output);
  return {
    ...text,
    before: before.iteration,
    changes: changes.slice(0, bounds.changes),
    moreChanges: Math.max(0, changes.length - bounds.changes),
  };
}

export function renderChangesTitle({ before, changes }: TextToAccept): string | undefined {
  if (before === undefined) return undefined;
  return changes.length === 0 ? `Nothing changed since version ${before}.` : `Changes since version ${before}:`;
}

export function renderChangeLines({ changes, moreChanges }: TextToAccept): string[] {
  return moreChanges > 0 ? [...changes, `… ${moreChanges} more`] : changes;
}
