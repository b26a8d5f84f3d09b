const MAX_LINE = 4_000;

export interface ReplyLine {
  kind: 'text' | 'blank' | 'fence';
  text: string;
  /** Whether it is in a list, or continues a line of one. */
  isItem: boolean;
  isQuoted: boolean;
  /** Whether it is a heading, or bold as a whole: the value may be in the next line. */
  isHeading: boolean;
}

const FENCE = /^\s*(?:```|~~~)|<<<[A-Z]|[A-Z]>>>/;
const RULE = /^[\s|:=-]*$/;
/** A new label after another: `Verdict: fail | Score: 0.4`. */
const NEXT_LABEL = /\s{0,5}[|;,(]\s{0,5}(?=(?:score|verdict|code|reason|confidence|better|margin)\s{0,3}[:=])/gi;
const ITEM = /^(?:[-•+*]|\d{1,3}[.)])\s+(?:\[[ x]\]\s+)?/i;
const MARKS = /(?:```|~~~)(?:json|python|text|yaml|xml)?|<\/\w{1,30}>|<[|｜][^<>\n]{1,40}[|｜]>/gi;

export function replyLines(reply: string): ReplyLine[] {
  return reply.split(/\r?\n/).flatMap((raw) => {
    const line = raw.slice(0, MAX_LINE);
    if (FENCE.test(line)) return [lineOfKind('fence', '')];
    return RULE.test(line) ? [lineOfKind('blank', '')] : line.split(NEXT_LABEL).map(lineOf);
  });
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

/** Whether a text holds more than marks, tags and fences: words, numbers, an object, or a sign that says no. */
export function saysMore(text: string): boolean {
  return /[\p{L}\p{N}{\p{Extended_Pictographic}✗✘]|~~/u.test(text.replace(MARKS, ''));
}
