import { isInteger, isList, isNull, isText, list, text, type Value } from '../jinja-library';
import { checkItemCount, checkTextLength, TemplateFailed } from '../limits';
import { printValue } from '../printing';

/** Methods of text that the library lacks, or whose result it does not bound. */
export const TEXT_METHODS: ReadonlyMap<string, (content: string, positional: Value[]) => Value> = new Map([
  ['replace', replaceMethod],
  ['split', splitMethod],
  ['join', (content: string, positional: Value[]) => text(joinEntries(positional[0], content))],
]);

/** Replaces text as Python's `str.replace` does, and refuses before it makes too long a text. */
export function replaceText(content: string, old: string, replacement: string, count: number): string {
  const found = old === '' ? content.length + 1 : content.split(old).length - 1;
  const times = Math.min(found, count < 0 ? Infinity : count);
  checkTextLength(content.length + times * (replacement.length - old.length));
  let done = 0;
  return content.replaceAll(old, (match) => (done++ < times ? replacement : match));
}

export function joinEntries(entries: Value | undefined, separator: string): string {
  if (!isList(entries)) throw new TemplateFailed('join needs a list');
  const parts = entries.value.map(printValue);
  checkTextLength(parts.reduce((length, part) => length + part.length + separator.length, 0));
  return parts.join(separator);
}

function replaceMethod(content: string, [old, replacement, count]: Value[]): Value {
  if (!isText(old) || !isText(replacement)) throw new TemplateFailed('replace() needs two texts');
  return text(replaceText(content, old.value, replacement.value, isInteger(count) ? count.value : Infinity));
}

function splitMethod(content: string, [separator, limit]: Value[]): Value {
  const most = isInteger(limit) && limit.value >= 0 ? limit.value : Infinity;
  const parts: string[] = [];
  if (separator === undefined || isNull(separator)) {
    let rest = content.trimStart();
    while (rest !== '' && parts.length < most) {
      const length = rest.search(/\s/);
      parts.push(length === -1 ? rest : rest.slice(0, length));
      rest = length === -1 ? '' : rest.slice(length).trimStart();
      checkItemCount(parts.length);
    }
    if (rest !== '') parts.push(rest);
  } else {
    if (!isText(separator) || separator.value === '') throw new TemplateFailed('split() needs a separator');
    const all = content.split(separator.value);
    parts.push(...all.slice(0, most));
    if (all.length > parts.length) parts.push(all.slice(parts.length).join(separator.value));
  }
  checkItemCount(parts.length);
  return list(parts.map((part) => text(part)));
}
