import { argument, type Filter, type FilterCall, flag, textArgument, wholeNumber } from './filter-call';
import { integer, isNull, isText, text } from '../jinja-library';
import { checkTextLength } from '../limits';
import { printValue } from '../printing';
import { replaceText } from './text-methods';

const onText =
  (change: (content: string, call: FilterCall) => string): Filter =>
  (call) =>
    text(change(printValue(call.operand), call));

/** Filters that make text of text; anything else is printed first. */
export const TEXT_FILTERS: Record<string, Filter> = {
  upper: onText((content) => content.toUpperCase()),
  lower: onText((content) => content.toLowerCase()),
  capitalize: onText(capitalize),
  title: onText((content) => content.replace(/[^-\s({[<]+/g, capitalize)),
  trim: onText((content, call) => trimText(content, textArgument(call, 0, 'chars'))),
  replace: onText((content, call) => {
    const old = textArgument(call, 0, 'old') ?? '';
    const replacement = printValue(argument(call, 1, 'new') ?? text(''));
    const hasCount = !isNull(argument(call, 2, 'count'));
    return replaceText(content, old, replacement, hasCount ? wholeNumber(call, 2, 'count', Infinity) : Infinity);
  }),
  indent: onText(indentText),
  truncate: onText(truncateText),
  wordcount: (call) => integer(printValue(call.operand).match(/\w+/g)?.length ?? 0),
  string: onText((content) => content),
  safe: (call) => call.operand,
  escape: onText(escapeHtml),
  e: onText(escapeHtml),
  urlencode: onText((content) => encodeURIComponent(content)),
};

function capitalize(content: string): string {
  return content.charAt(0).toUpperCase() + content.slice(1).toLowerCase();
}

function trimText(content: string, characters: string | undefined): string {
  if (characters === undefined) return content.trim();
  let start = 0;
  let end = content.length;
  while (start < end && characters.includes(content.charAt(start))) start++;
  while (end > start && characters.includes(content.charAt(end - 1))) end--;
  return content.slice(start, end);
}

function indentText(content: string, call: FilterCall): string {
  const width = argument(call, 0, 'width');
  const margin = isText(width) ? width.value : ' '.repeat(Math.min(wholeNumber(call, 0, 'width', 4), 1_000));
  const first = flag(call, 1, 'first');
  const blank = flag(call, 2, 'blank');
  const lines = content.split('\n');
  checkTextLength(content.length + lines.length * margin.length);
  return lines.map((line, index) => ((index === 0 ? first : blank || line !== '') ? margin + line : line)).join('\n');
}

function truncateText(content: string, call: FilterCall): string {
  const length = wholeNumber(call, 0, 'length', 255);
  const end = textArgument(call, 2, 'end') ?? '...';
  if (content.length <= length + wholeNumber(call, 3, 'leeway', 5)) return content;
  const kept = content.slice(0, Math.max(0, length - end.length));
  const lastSpace = kept.lastIndexOf(' ');
  return (flag(call, 1, 'killwords') || lastSpace === -1 ? kept : kept.slice(0, lastSpace)) + end;
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', "'": '&#39;', '"': '&#34;' };

function escapeHtml(content: string): string {
  return content.replace(/[&<>'"]/g, (character) => ENTITIES[character]!);
}
