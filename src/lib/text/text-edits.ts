import { firstCharacters } from './summary-text';

interface TextEdit {
  search: string;
  replace: string;
  /** Whether the lines that are searched for are removed without a replacement, together with their line break. */
  removesLines?: true;
}

const OPENING = /^(<{5,9}) ?SEARCH\s*$/;
const MIDDLE = /^={5,9}\s*$/;
const CLOSING = /^>{5,9} ?REPLACE\s*$/;

/** A text may have such lines of its own, as under a heading: the one as long as the edit's opening line counts. */
function dividingLine(lines: readonly string[], length: number): number | { problem: string } {
  const all = lines.flatMap((line, index) => (MIDDLE.test(line) ? [index] : []));
  const fitting = all.length > 1 ? all.filter((index) => lines[index]!.trimEnd().length === length) : all;
  const [only, ...others] = fitting;
  if (only !== undefined && others.length === 0) return only;
  return { problem: all.length > 1 ? 'an edit has more than one dividing line' : 'an edit has no dividing line' };
}

/**
 * Reads the edits in a reply, in the search/replace form, with plain line breaks; none if it has no such block. The text around
 * the blocks is the model's talk.
 * @returns `problem` if a block was begun and not finished, or cannot be divided into its halves
 */
export function readTextEdits(reply: string): TextEdit[] | { problem: string } {
  const edits: TextEdit[] = [];
  let open: { length: number; lines: string[] } | undefined;
  for (const line of reply.split(/\r?\n/)) {
    if (!open) {
      const [, marker] = OPENING.exec(line) ?? [];
      if (marker !== undefined) open = { length: marker.length, lines: [] };
    } else if (CLOSING.test(line)) {
      const { lines, length } = open;
      const middle = dividingLine(lines, length);
      if (typeof middle !== 'number') return middle;
      const replace = lines.slice(middle + 1);
      const removes = replace.length === 0 ? { removesLines: true as const } : {};
      edits.push({ search: lines.slice(0, middle).join('\n'), replace: replace.join('\n'), ...removes });
      open = undefined;
    } else open.lines.push(line);
  }
  return open ? { problem: 'its last edit is not finished' } : edits;
}

/** Edits with the line breaks that the text has where they belong: a model does not see which they are. */
export function withLineEndsOf(text: string, edits: readonly TextEdit[]): TextEdit[] {
  if (!text.includes('\r\n')) return [...edits];
  const isMixed = /(?:^|[^\r])\n/.test(text);
  const windows = (lines: string): string => lines.replaceAll('\n', '\r\n');
  return edits.map((edit) => {
    const search = windows(edit.search);
    const stays = isMixed && (search === edit.search || !text.includes(search));
    return stays ? edit : { ...edit, search, replace: windows(edit.replace) };
  });
}

function quoteText(text: string): string {
  return JSON.stringify(firstCharacters(text, 60));
}

function onlyPlace(text: string, search: string, places?: Places): number | { problem: string } {
  if (search === '') return { problem: 'an edit searches for nothing' };
  const [first, second] = places ? places(search) : [text.indexOf(search)];
  if (first === undefined || first < 0) return { problem: `the output does not hold ${quoteText(search)}` };
  const isTwice = places ? second !== undefined : text.includes(search, first + 1);
  return isTwice ? { problem: `the output holds ${quoteText(search)} more than once` } : first;
}

type Places = (search: string) => number[];

const SEARCHED_CHARACTERS = 50_000_000;
/** Searches are grouped by so many of their first characters: by the most that they have. */
const INDEXED_CHARACTERS = [24, 16, 8, 4, 1];
const MOST_COMPARISONS = 5_000_000;

/** Finds many texts in a few passes, by how they begin. Undefined where there are few. */
function indexOfPlaces(text: string, edits: readonly TextEdit[]): Places | { problem: string } | undefined {
  if (edits.length * text.length <= SEARCHED_CHARACTERS) return undefined;
  const found = new Map<string, number[]>();
  const left = { comparisons: MOST_COMPARISONS };
  const searches = new Set(edits.map(({ search }) => search));
  for (const length of INDEXED_CHARACTERS) {
    const fitting = [...searches].filter((search) => search.length >= length);
    for (const search of fitting) searches.delete(search);
    findPlaces(text, fitting, length, found, left);
  }
  if (left.comparisons < 0) return { problem: 'its edits begin so much alike that to find them takes too long' };
  return (search) => found.get(search) ?? [];
}

function findPlaces(
  text: string,
  searches: readonly string[],
  length: number,
  found: Map<string, number[]>,
  left: { comparisons: number },
): void {
  if (searches.length === 0) return;
  const beginnings = new Map<string, Set<string>>();
  for (const search of searches) {
    const beginning = search.slice(0, length);
    const alike = beginnings.get(beginning) ?? new Set();
    beginnings.set(beginning, alike.add(search));
  }
  for (let offset = 0; offset + length <= text.length; offset++) {
    const alike = beginnings.get(text.slice(offset, offset + length));
    if (!alike) continue;
    left.comparisons -= alike.size;
    if (left.comparisons < 0) return;
    for (const search of alike) {
      if (!text.startsWith(search, offset)) continue;
      const offsets = found.get(search) ?? [];
      found.set(search, [...offsets, offset]);
      // Twice is too often already.
      if (offsets.length > 0) alike.delete(search);
    }
  }
}

function breakAt(text: string, offset: number): string {
  if (text.startsWith('\r\n', offset)) return '\r\n';
  return text[offset] === '\n' ? '\n' : '';
}

function isWholeLines(text: string, start: number, end: number): boolean {
  const begins = start === 0 || text[start - 1] === '\n';
  return begins && (end === text.length || breakAt(text, end) !== '');
}

/**
 * Applies edits to a text. Each must find its text exactly once in the text as it was, and no two may overlap, so the order of
 * the edits does not matter and everything else stays byte for byte.
 */
export function applyTextEdits(text: string, edits: readonly TextEdit[]): { text: string } | { problem: string } {
  const places: { start: number; end: number; replace: string; removed: boolean }[] = [];
  const index = indexOfPlaces(text, edits);
  if (typeof index === 'object') return index;
  for (const { search, replace, removesLines = false } of edits) {
    const start = onlyPlace(text, search, index);
    if (typeof start !== 'number') return start;
    const end = start + search.length;
    places.push({ start, end, replace, removed: removesLines && isWholeLines(text, start, end) });
  }
  places.sort((one, other) => one.start - other.start);
  let result = '';
  let from = 0;
  for (const { start, end, replace, removed } of places) {
    if (start < from) return { problem: 'two edits change the same text' };
    result += text.slice(from, start) + replace;
    from = end;
    if (!removed) continue;
    // The last line of a text has its break before it.
    if (end === text.length) result = result.replace(/\r?\n$/, '');
    else from += breakAt(text, end).length;
  }
  return { text: result + text.slice(from) };
}
