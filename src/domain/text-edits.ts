/** One change of a text: what stands in it now, exactly, and what is to stand there. */
export interface TextEdit {
  search: string;
  replace: string;
  /** No line takes the place of those that are searched for: their line break goes, too. */
  removesLines?: true;
}

const OPENING = /^(<{5,9}) ?SEARCH\s*$/;
const MIDDLE = /^={5,9}\s*$/;
const CLOSING = /^>{5,9} ?REPLACE\s*$/;

/**
 * Where the two halves of an edit meet. A text may have such lines of its own, as under a heading; then the one counts that is
 * as long as the line that opens the edit.
 */
function dividingLine(lines: readonly string[], length: number): number | { problem: string } {
  const all = lines.flatMap((line, index) => (MIDDLE.test(line) ? [index] : []));
  const fitting = all.length > 1 ? all.filter((index) => lines[index]!.trimEnd().length === length) : all;
  const [only, ...others] = fitting;
  if (only !== undefined && others.length === 0) return only;
  return { problem: all.length > 1 ? 'an edit has more than one dividing line' : 'an edit has no dividing line' };
}

/**
 * The edits in a reply, in the search/replace form, with plain line breaks; none when it has no such block. What stands around
 * the blocks is the model's talk.
 *
 * @returns `problem` when a block was begun and not finished, or cannot be told apart into its halves
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

function shown(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}

/** Where a text stands in another, when it stands there exactly once. */
function onlyPlace(text: string, search: string): number | { problem: string } {
  if (search === '') return { problem: 'an edit searches for nothing' };
  const first = text.indexOf(search);
  if (first < 0) return { problem: `the output does not hold ${shown(search)}` };
  if (text.includes(search, first + 1)) return { problem: `the output holds ${shown(search)} more than once` };
  return first;
}

/** The line break at an offset, if one is there. */
function breakAt(text: string, offset: number): string {
  if (text.startsWith('\r\n', offset)) return '\r\n';
  return text[offset] === '\n' ? '\n' : '';
}

/** True when a stretch of a text is lines, from the beginning of the first to the end of the last. */
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
  for (const { search, replace, removesLines = false } of edits) {
    const start = onlyPlace(text, search);
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
