/** One change of a text: what stands in it now, exactly, and what is to stand there. */
export interface TextEdit {
  search: string;
  replace: string;
}

const OPENING = /^<{5,9} ?SEARCH\s*$/;
const MIDDLE = /^={5,9}\s*$/;
const CLOSING = /^>{5,9} ?REPLACE\s*$/;

/**
 * The edits in a reply, in the search/replace form; none when it has no such block. What stands around the blocks is
 * the model's talk.
 *
 * @returns `problem` when a block was begun and not finished
 */
export function readTextEdits(reply: string): TextEdit[] | { problem: string } {
  const edits: TextEdit[] = [];
  let search: string[] | undefined;
  let replace: string[] | undefined;
  for (const line of reply.split('\n')) {
    if (search === undefined) {
      if (OPENING.test(line)) search = [];
    } else if (replace === undefined) {
      if (MIDDLE.test(line)) replace = [];
      else search.push(line);
    } else if (CLOSING.test(line)) {
      edits.push({ search: search.join('\n'), replace: replace.join('\n') });
      search = replace = undefined;
    } else replace.push(line);
  }
  return search === undefined ? edits : { problem: 'its last edit is not finished' };
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

/**
 * Applies edits to a text. Each must find its text exactly once in the text as it was, and no two may overlap, so the order of
 * the edits does not matter and everything else stays byte for byte.
 */
export function applyTextEdits(text: string, edits: readonly TextEdit[]): { text: string } | { problem: string } {
  const places: { start: number; end: number; replace: string }[] = [];
  for (const { search, replace } of edits) {
    const start = onlyPlace(text, search);
    if (typeof start !== 'number') return start;
    places.push({ start, end: start + search.length, replace });
  }
  places.sort((one, other) => one.start - other.start);
  let result = '';
  let from = 0;
  for (const { start, end, replace } of places) {
    if (start < from) return { problem: 'two edits change the same text' };
    result += text.slice(from, start) + replace;
    from = end;
  }
  return { text: result + text.slice(from) };
}
