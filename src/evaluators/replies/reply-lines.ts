/**
 * The length above which a text does not count as a line: on longer ones, patterns that can match in several ways would try
 * them all.
 */
const MAX_LINE = 4_000;

/** A line of a reply, without its markdown. */
export interface ReplyLine {
  kind: 'text' | 'blank' | 'fence';
  text: string;
  /** Whether it is in a list, or continues a line of one. */
  isItem: boolean;
  /** Whether it follows a `>`. */
  isQuoted: boolean;
  /** Whether it is a heading, or bold as a whole: the value may be in the next line. */
  isHeading: boolean;
}

const FENCE = /^\s*(?:```|~~~)|<<<[A-Z]|[A-Z]>>>/;
const RULE = /^[\s|:=-]*$/;
/** A new label after another: `Verdict: fail | Score: 0.4`. */
const NEXT_LABEL = /\s{0,5}[|;,(]\s{0,5}(?=(?:score|verdict|code|reason|confidence|better|margin)\s{0,3}[:=])/gi;
/** The head of a table with titles only. */
const TITLES =
  /^(?:(?:question|answer|finding|field|value|no|number|criterion|severity|suggestion|path|#)\.?(?:\||$))+$/i;
const HEAD = /^(?:verdict|score|better|outcome)$/i;
const ITEM = /^(?:[-•+*]|\d{1,3}[.)])\s+(?:\[[ x]\]\s+)?/i;
/** Fences, tags that end, and the marks of models. */
const MARKS = /(?:```|~~~)(?:json|python|text|yaml|xml)?|<\/\w{1,30}>|<[|｜][^<>\n]{1,40}[|｜]>/gi;
const TAG = /<(\/?)([a-z_]{2,30})>/gi;

/** Splits a reply into lines: markdown, lists, tables and tags are put into the one form `label: value`. */
export function replyLines(reply: string): ReplyLine[] {
  const lines: ReplyLine[] = [];
  let header: string[] | undefined;
  for (const raw of withoutTags(reply).split(/\r?\n/)) {
    const line = raw.slice(0, MAX_LINE);
    const cells = cellsOf(line);
    if (FENCE.test(line)) lines.push(lineOfKind('fence', ''));
    else if (cells && header && cells.length === header.length && lines.at(-1)?.kind === 'blank') {
      // A table that is read downwards: its head names the values below.
      for (const [index, name] of header.entries()) lines.push(lineOfKind('text', `${name}: ${cells[index]!}`));
    } else if (RULE.test(line) || (cells && TITLES.test(cells.join('|')))) lines.push(lineOfKind('blank', ''));
    else for (const part of (cells ? joinCells(cells) : line).split(NEXT_LABEL)) lines.push(lineOf(part));
    if (!RULE.test(line)) header = cells && isHead(cells) ? cells : undefined;
  }
  return lines;
}

function lineOfKind(kind: ReplyLine['kind'], text: string): ReplyLine {
  return { kind, text, isQuoted: false, isHeading: false, isItem: false };
}

function lineOf(raw: string): ReplyLine {
  const isQuoted = /^\s*>/.test(raw);
  const unquoted = raw.replace(/^[\s>]+/, '');
  const isItem = ITEM.test(unquoted) || /^(?: {2}|\t)/.test(raw);
  const isHeading = /^(?:#{1,6}\s|\*\*[^*]{1,40}\*\*\s*$)/.test(unquoted);
  const text = unquoted
    .replace(ITEM, '')
    .replace(/(?<=[\p{L}\d])_(?=[\p{L}\d])/gu, ' ')
    .replace(/[*_`#]/g, '')
    .trim();
  if (text === '') return lineOfKind('blank', '');
  return { kind: 'text', text, isQuoted, isHeading, isItem };
}

/** Returns whether a text holds more than marks, tags and fences: words, numbers, an object, or a sign that says no. */
export function saysMore(text: string): boolean {
  return /[\p{L}\p{N}{❌✖✗✘👎🚫🔴⛔]|~~/u.test(text.replace(MARKS, ''));
}

/** Rewrites `<verdict>fail</verdict>` on lines of its own as `verdict: fail`. */
function withoutTags(reply: string): string {
  return reply.replace(TAG, (_all, closing: string, name: string) => (closing === '' ? `\n${name}: ` : '\n'));
}

function cellsOf(line: string): string[] | undefined {
  const row = /^\s*\|(.*)\|\s*$/.exec(line)?.[1];
  if (row === undefined || RULE.test(row)) return undefined;
  const cells = row.split('|').map((cell) => cell.replace(/[*_`]/g, '').trim());
  return cells.length > 1 ? cells : undefined;
}

function isHead(cells: string[]): boolean {
  return cells.some((cell) => HEAD.test(cell)) && !cells.some((cell) => /\d/.test(cell));
}

function joinCells([name = '', ...values]: string[]): string {
  return `${name}: ${values.join(' - ')}`;
}
