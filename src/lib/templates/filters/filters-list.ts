import type { Value } from '../jinja-library';
import {
  float,
  integer,
  isInteger,
  isList,
  isMapping,
  isNumber,
  isText,
  list,
  text,
  undefinedValue,
} from '../jinja-library';
import type { Filter, FilterCall } from './filter-call';
import { argument, attribute, flag, items, NULL, pairs, textArgument } from './filter-call';
import { compare, kindOf } from '../operators';
import { jsonText, printValue } from '../printing';
import { TemplateFailed } from '../limits';
import { joinEntries } from './text-methods';

/** Filters over lists; text counts as its characters and an object as its keys. */
export const LIST_FILTERS: Record<string, Filter> = {
  length: lengthOf,
  count: lengthOf,
  list: (call) => list(items(call)),
  first: (call) => items(call)[0] ?? undefinedValue(),
  last: (call) => items(call).at(-1) ?? undefinedValue(),
  reverse: (call) =>
    isText(call.operand) ? text(Array.from(call.operand.value).reverse().join('')) : list(items(call).toReversed()),
  join: (call) => {
    const separator = printValue(argument(call, 0, 'd') ?? call.named.get('separator') ?? text(''));
    return text(joinEntries(list(attributes(call)), separator));
  },
  sort: (call) => {
    const path = argument(call, 2, 'attribute');
    const direction = flag(call, 0, 'reverse') ? -1 : 1;
    const caseSensitive = flag(call, 1, 'case_sensitive');
    return sortValues(items(call), (item) => attribute(item, path), direction, caseSensitive);
  },
  unique: (call) => {
    const seen = new Set<string>();
    const caseSensitive = flag(call, 0, 'case_sensitive');
    return list(
      items(call).filter((item) => {
        const shown = jsonText(attribute(item, argument(call, 1, 'attribute')));
        const key = caseSensitive ? shown : shown.toLowerCase();
        return !seen.has(key) && seen.add(key);
      }),
    );
  },
  map: (call) => {
    const path = call.named.get('attribute');
    if (path) {
      const fallback = call.named.get('default');
      return list(items(call).map((item) => withDefault(attribute(item, path), fallback)));
    }
    const name = textArgument(call, 0, 'filter');
    if (name === undefined) throw new TemplateFailed('filter "map" needs an attribute or the name of a filter');
    return list(items(call).map((item) => call.apply(name, item, call.positional.slice(1))));
  },
  select: (call) => filterItems(call, (item) => call.test(call.positional[0], item, call.positional.slice(1))),
  reject: (call) => filterItems(call, (item) => !call.test(call.positional[0], item, call.positional.slice(1))),
  selectattr: (call) => filterItems(call, (item) => attributePasses(call, item)),
  rejectattr: (call) => filterItems(call, (item) => !attributePasses(call, item)),
  sum: (call) => {
    const start = argument(call, 1, 'start') ?? integer(0);
    const numbers = [start, ...attributes(call, 0)];
    const total = numbers.reduce((sum, item) => sum + numberOf(item), 0);
    return numbers.every(isInteger) ? integer(total) : float(total);
  },
  min: (call) => extreme(call, -1),
  max: (call) => extreme(call, 1),
  items: (call) => list(pairs(call)),
  dictsort: (call) => {
    const position = argument(call, 1, 'by')?.value === 'value' ? 1 : 0;
    const direction = flag(call, 2, 'reverse') ? -1 : 1;
    const part = (pair: Value): Value => (pair.value as Value[])[position] ?? NULL;
    return sortValues(pairs(call), part, direction, flag(call, 0, 'case_sensitive'));
  },
};

function lengthOf(call: FilterCall): Value {
  const { operand } = call;
  if (isList(operand) || isText(operand)) return integer(operand.value.length);
  if (isMapping(operand)) return integer(operand.value.size);
  throw new TemplateFailed(`filter "${call.name}" needs a list, an object or text, not ${kindOf(operand)}`);
}

function attributes(call: FilterCall, position = 1): Value[] {
  return items(call).map((item) => attribute(item, argument(call, position, 'attribute')));
}

function sortValues(values: Value[], keyOf: (value: Value) => Value, direction: number, caseSensitive: boolean): Value {
  return list(values.toSorted((first, second) => direction * compare(keyOf(first), keyOf(second), caseSensitive)));
}

function filterItems(call: FilterCall, isChosen: (item: Value) => boolean): Value {
  return list(items(call).filter(isChosen));
}

function attributePasses(call: FilterCall, item: Value): boolean {
  const [path, test, ...others] = call.positional;
  return call.test(test, attribute(item, path), others);
}

function withDefault(value: Value, fallback: Value | undefined): Value {
  return value.type === 'UndefinedValue' ? (fallback ?? value) : value;
}

function extreme(call: FilterCall, direction: 1 | -1): Value {
  const path = argument(call, 1, 'attribute');
  const [first, ...others] = items(call);
  if (!first) return undefinedValue();
  return others.reduce(
    (best, item) => (direction * compare(attribute(item, path), attribute(best, path)) > 0 ? item : best),
    first,
  );
}

function numberOf(value: Value): number {
  if (isNumber(value)) return value.value;
  throw new TemplateFailed(`filter "sum" needs numbers, not ${kindOf(value)}`);
}
