import type { Json } from '../json/json';
import type { Value } from './jinja-library';
import { isBoolean, isFunction, isList, isMapping, isNull, isNumber, isText, isUndefined } from './jinja-library';
import { checkTextLength } from './limits';
import { TemplateFailed } from './limits';

interface JsonTextOptions {
  indent?: number;
  ensureAscii?: boolean;
  sortKeys?: boolean;
}

/** Returns what `{{ value }}` prints: text as it is, nothing for null, JSON for lists and objects. */
export function printValue(value: Value): string {
  if (isText(value)) return value.value;
  if (isNull(value) || isUndefined(value) || isFunction(value)) return '';
  if (value.type === 'FloatValue' && Number.isInteger(value.value)) return (value.value as number).toFixed(1);
  return isNumber(value) || isBoolean(value) ? String(value.value) : jsonText(value);
}

/**
 * Returns what `tojson` prints, laid out as Python's `json.dumps` does. Unlike Jinja's it escapes nothing for HTML and keeps the
 * order of keys: it is read by models, not browsers.
 */
export function jsonText(value: Value, options: JsonTextOptions = {}): string {
  const parts: string[] = [];
  let length = 0;
  const write = (part: string): void => {
    length += part.length;
    // A list can hold itself many times over, so its text may be exponentially longer than the template.
    checkTextLength(length);
    parts.push(part);
  };
  const string = (content: string): string => {
    const quoted = JSON.stringify(content);
    return options.ensureAscii ? quoted.replace(/[\x7f-\uffff]/g, escapeCharacter) : quoted;
  };
  const newLine = (depth: number): string =>
    options.indent === undefined ? '' : `\n${' '.repeat(options.indent * depth)}`;
  const separator = options.indent === undefined ? ', ' : ',';
  const writeAll = (open: string, close: string, entries: Iterable<[string, Value]>, depth: number): void => {
    write(open);
    let isFirst = true;
    for (const [prefix, entry] of entries) {
      write((isFirst ? '' : separator) + newLine(depth + 1) + prefix);
      writeValue(entry, depth + 1);
      isFirst = false;
    }
    write((isFirst ? '' : newLine(depth)) + close);
  };
  const writeValue = (entry: Value, depth: number): void => {
    if (isList(entry)) {
      const items = entry.value.map((item): [string, Value] => ['', item]);
      writeAll('[', ']', items, depth);
    } else if (isMapping(entry)) {
      const pairs = [...entry.value].map(([key, item]): [string, Value] => [`${string(key)}: `, item]);
      if (options.sortKeys) pairs.sort(([first], [second]) => (first < second ? -1 : 1));
      writeAll('{', '}', pairs, depth);
    } else write(isText(entry) ? string(entry.value) : JSON.stringify(scalar(entry)));
  };
  writeValue(value, 0);
  return parts.join('');
}

export function toJson(value: Value): Json {
  let count = 0;
  const convert = (entry: Value): Json => {
    checkTextLength(++count);
    if (isList(entry)) return entry.value.map(convert);
    // Unlike assignment, this makes an ordinary key of `__proto__`.
    if (isMapping(entry)) return Object.fromEntries([...entry.value].map(([key, item]) => [key, convert(item)]));
    return scalar(entry);
  };
  return convert(value);
}

function scalar(value: Value): Json {
  const isFinite = !isNumber(value) || Number.isFinite(value.value);
  if (!isFinite) throw new TemplateFailed('it makes a number that is not finite');
  if (isNull(value) || isUndefined(value) || isFunction(value)) return null;
  return value.value as string | number | boolean;
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
