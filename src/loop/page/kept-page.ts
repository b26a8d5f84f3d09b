import { jsonBytes } from '../../lib/json/json-bytes';
import { escapeMarkdown } from './markdown';
import { cutText } from '../../lib/text/summary-text';

/** The memo field that keeps the page of a run as it was when the run last waited for a person or ended. */
export const KEPT_PAGE_FIELD = 'ReflectionPage';

/** The text on the run's page from its start: that page is empty without a worker. */
export const WHERE_PAGES_ARE_KEPT =
  'A worker has to run for the current details. What they said at the end of the run is kept in its result (`page`) or, as after a failure or a wait for a person, on the tab **Memo**.';

export const KEPT_PAGE_BYTES = 1_900;

const MOST_MEMO_BYTES = 512 * 1024;

export function hasRoomForPage(memo: unknown): boolean {
  try {
    return jsonBytes(memo) <= MOST_MEMO_BYTES;
  } catch {
    return false;
  }
}

const LINE_CHARACTERS = 160;
/** The maximum number of paragraphs that are read, and of lines of each: making a page must not take long. */
const LOOKED_AT = 40;
const MOST_PARAGRAPHS = 12;
/** Characters below which a line is left out as a whole. */
const SHORTEST_CUT = 40;

interface Block {
  lines: string[];
  /** The number of lines at its beginning that stay: the head of a table. */
  head: number;
  /** The beginning of a text matters most, and the end of a table or a list. */
  losesItsEnd: boolean;
  lost: number;
}

const MARKS: Readonly<Record<string, string>> = { '✅': 'pass', '❌': 'fail', '❔': '?' };
const ENTITIES: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&amp;': '&' };

function stripMarkdown(line: string): string {
  return line.replace(/\\([\\`*_{}[\]()#|!~])|\*\*|`|&(?:lt|gt|amp);/g, (found, escaped?: string) =>
    escaped === undefined ? (ENTITIES[found] ?? '') : escaped,
  );
}

/** The order of columns: texts have their own line ends, so the last column of texts follows those of numbers. */
function columnOrder(separator: string): number[] {
  const isNumber = cellsOf(separator).map((cell) => cell.endsWith('-:'));
  const columns = [...isNumber.keys()];
  const last = isNumber.lastIndexOf(false);
  return [...columns.filter((column) => column < last), ...columns.filter((column) => column > last), last];
}

function cellsOf(row: string): string[] {
  const cells = row.split(/(?<!\\)\|/).slice(1, -1);
  return cells.map((cell) => stripMarkdown(cell.trim()).replace(/[✅❌❔]/gu, (mark) => MARKS[mark]!));
}

function tableLines([head = '', separator = '', ...rows]: readonly string[]): string[] {
  const cells = [head, ...rows].map(cellsOf);
  const columns = columnOrder(separator).map((column) => cells.map((row) => row[column] ?? ''));
  const padded = columns.map((column) => {
    const width = Math.max(...column.map((cell) => Array.from(cell).length));
    return column.map((cell) => cell + ' '.repeat(width - Array.from(cell).length));
  });
  return cells.map((_, row) =>
    padded
      .map((column) => column[row])
      .join('  ')
      .trimEnd(),
  );
}

function isList(lines: readonly string[]): boolean {
  return lines.every((line) => line.startsWith('- '));
}

/** Splits a page into paragraphs. Pages write lists as one paragraph or as one for each line. */
function paragraphsOf(page: string): string[][] {
  const paragraphs: string[][] = [];
  for (const text of page.split('\n\n')) {
    const lines = text.split('\n');
    const before = paragraphs.at(-1);
    if (before && isList(before) && isList(lines)) before.push(...lines);
    else paragraphs.push(lines);
  }
  return paragraphs;
}

function block(lines: readonly string[], head: number, losesItsEnd = false): Block {
  const cut = lines.map((line) => cutText(line, LINE_CHARACTERS));
  const rest = cut.slice(head);
  const looked = losesItsEnd ? rest.slice(0, LOOKED_AT) : rest.slice(-LOOKED_AT);
  return { lines: [...cut.slice(0, head), ...looked], head, losesItsEnd, lost: rest.length - looked.length };
}

function blockOf(paragraph: readonly string[]): Block {
  const isTable = paragraph[0]?.startsWith('|') === true;
  return isTable ? block(tableLines(paragraph), 1) : block(paragraph.map(stripMarkdown), 0);
}

function renderBlock({ lines, head, losesItsEnd, lost }: Block): string[] {
  if (lost === 0) return lines;
  const note = `… ${lost} more`;
  return losesItsEnd ? [...lines, note] : [...lines.slice(0, head), note, ...lines.slice(head)];
}

function bytesOf(each: Block): number {
  return jsonBytes(renderBlock(each)) + 4;
}

function shorten(each: Block): boolean {
  const { lines, head, losesItsEnd } = each;
  if (lines.length > head + 1) {
    lines.splice(losesItsEnd ? lines.length - 1 : head, 1);
    each.lost += 1;
    return true;
  }
  const longest = lines.reduce((best, line, index) => (line.length > lines[best]!.length ? index : best), 0);
  const line = lines[longest] ?? '';
  if (line.length < SHORTEST_CUT) return false;
  lines[longest] = cutText(line, Math.floor(line.length / 2));
  return true;
}

export function renderFailureLine(message: string): string {
  return `**Failed**: ${escapeMarkdown(message, 400)}`;
}

export function renderRetryLine(why: string): string {
  return `**Waiting**: ${escapeMarkdown(why, 400)}`;
}

/** Plain text for when no worker answers, at most `KEPT_PAGE_BYTES` as JSON: the longest part is cut first. `text` is no Markdown. */
export function renderKeptPage(page: string, text: readonly string[] = []): string[] {
  const paragraphs = paragraphsOf(page);
  const blocks = [
    ...paragraphs.slice(0, MOST_PARAGRAPHS).map(blockOf),
    ...(text.length > 0 ? [block(text, 1, true)] : []),
  ].map((each) => ({ each, bytes: bytesOf(each) }));
  while (blocks.reduce((sum, { bytes }) => sum + bytes, 0) > KEPT_PAGE_BYTES) {
    const largest = blocks.reduce((one, other) => (other.bytes > one.bytes ? other : one));
    if (shorten(largest.each)) largest.bytes = bytesOf(largest.each);
    else blocks.splice(blocks.indexOf(largest), 1);
  }
  return blocks.flatMap(({ each }, index) => (index > 0 ? ['', ...renderBlock(each)] : renderBlock(each)));
}
