import {
  boolean,
  isInteger,
  isUndefined,
  text,
  type Value,
  float,
  integer,
  isBoolean,
  isNumber,
  isText,
  isNull,
} from '../jinja-library';
import { argument, type Filter, type FilterCall, textArgument, wholeNumber, flag } from './filter-call';
import { LIST_FILTERS } from './filters-list';
import { jsonText, printValue } from '../printing';
import { kindOf } from '../operators';
import { TemplateFailed, checkTextLength } from '../limits';
import { replaceText } from './text-methods';

const onText =
  (change: (content: string, call: FilterCall) => string): Filter =>
  (call) =>
    text(change(printValue(call.operand), call));

/** Filters that make text of text; anything else is printed first. */
const TEXT_FILTERS: Record<string, Filter> = {
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

const NUMBER_FILTERS: Record<string, Filter> = {
  int: (call) => {
    const found = numberIn(call.operand);
    return found === undefined ? (argument(call, 0, 'default') ?? integer(0)) : integer(Math.trunc(found));
  },
  float: (call) => {
    const found = numberIn(call.operand);
    return found === undefined ? (argument(call, 0, 'default') ?? float(0)) : float(found);
  },
  round: (call) => {
    const factor = 10 ** wholeNumber(call, 0, 'precision', 0);
    const scaled = needNumber(call) * factor;
    const method = textArgument(call, 1, 'method') ?? 'common';
    const rounded =
      method === 'ceil' ? Math.ceil(scaled) : method === 'floor' ? Math.floor(scaled) : halfToEven(scaled);
    return float(rounded / factor);
  },
  abs: (call) => {
    const size = Math.abs(needNumber(call));
    return isInteger(call.operand) ? integer(size) : float(size);
  },
};

function numberIn(value: Value): number | undefined {
  if (isNumber(value)) return value.value;
  if (isBoolean(value)) return Number(value.value);
  if (!isText(value) || !/^\s*[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?\s*$/i.test(value.value)) return undefined;
  const parsed = Number(value.value);
  return Number.isFinite(parsed) ? parsed : undefined;
}

function needNumber(call: FilterCall): number {
  if (isNumber(call.operand)) return call.operand.value;
  throw new TemplateFailed(`filter "${call.name}" needs a number, not ${kindOf(call.operand)}`);
}

function halfToEven(value: number): number {
  const floor = Math.floor(value);
  if (value - floor !== 0.5) return Math.round(value);
  return floor % 2 === 0 ? floor : floor + 1;
}

/**
 * The filter that leaves the markers out: the author of a prompt vouches with it for a model's text, which is printed as it is.
 */
export const UNFENCED = 'unfenced';
/** The opposite filter: the text is put between markers, whatever its author. */
export const FENCED = 'fenced';

const VALUE_FILTERS: Record<string, Filter> = {
  default: orDefault,
  d: orDefault,
  tojson: toJson,
  json: toJson,
  [UNFENCED]: (call) => call.operand,
  [FENCED]: (call) => call.operand,
};

/** Filters that say themselves what an undefined value means; for the others it is an empty text. */
export const FILTERS_OF_UNDEFINED: ReadonlySet<string> = new Set(['default', 'd', 'tojson', 'json']);

/** Every filter by name. A Map, so that `constructor` is not one of them. */
export const FILTERS: ReadonlyMap<string, Filter> = new Map(
  Object.entries({ ...VALUE_FILTERS, ...TEXT_FILTERS, ...LIST_FILTERS, ...NUMBER_FILTERS }),
);

function toJson(call: FilterCall): Value {
  const indent = argument(call, 0, 'indent');
  return text(
    jsonText(call.operand, {
      indent: isInteger(indent) ? Math.min(Math.max(indent.value, 0), 16) : undefined,
      ensureAscii: call.named.get('ensure_ascii')?.__bool__().value,
      sortKeys: call.named.get('sort_keys')?.__bool__().value,
    }),
  );
}

function orDefault(call: FilterCall): Value {
  const alsoWhenFalse = (argument(call, 1, 'boolean') ?? boolean(false)).__bool__().value;
  const isMissing = isUndefined(call.operand) || (alsoWhenFalse && !call.operand.__bool__().value);
  return isMissing ? (argument(call, 0, 'default_value') ?? text('')) : call.operand;
}
