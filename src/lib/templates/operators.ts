import {
  boolean,
  integer,
  isBoolean,
  isInteger,
  isList,
  isMapping,
  isNull,
  isNumber,
  isText,
  isUndefined,
  text,
  type Value,
} from './jinja-library';
import { checkTextLength, TemplateFailed } from './limits';
import { printValue } from './printing';

/** Applies the operators that differ from the library's: it compares like JavaScript (`1 == "1"`), lists by identity. */
export function applyOperator(operator: string, left: Value, right: Value): Value | undefined {
  switch (operator) {
    case '==':
    case '!=':
      return boolean(isEqual(left, right) === (operator === '=='));
    case 'in':
    case 'not in':
      return boolean(isIn(left, right) === (operator === 'in'));
    case '~':
    case '+':
      return operator === '~' || isText(left) || isText(right) ? text(printValue(left) + printValue(right)) : undefined;
    case '*':
      if (isText(left) && isInteger(right)) return repeatText(left.value, right.value);
      return isInteger(left) && isText(right) ? repeatText(right.value, left.value) : undefined;
    case '%':
    case '/':
    case '//':
      if (isNumber(right) && right.value === 0) throw new TemplateFailed('it divides by zero');
      // The remainder has the sign of the divisor, unlike JavaScript's.
      return operator === '%' && isInteger(left) && isInteger(right)
        ? integer(((left.value % right.value) + right.value) % right.value)
        : undefined;
    default:
      return undefined;
  }
}

/** Returns whether values are equal as Python sees it: by content, numbers and booleans by their number. */
function isEqual(left: Value, right: Value): boolean {
  if (isList(left) && isList(right)) {
    const others = right.value;
    return left.value.length === others.length && left.value.every((item, index) => isEqual(item, others[index]!));
  }
  if (isMapping(left) && isMapping(right)) {
    const others = right.value;
    if (left.value.size !== others.size) return false;
    return [...left.value].every(([key, item]) => others.has(key) && isEqual(item, others.get(key)!));
  }
  if (isNumeric(left) && isNumeric(right)) return Number(left.value) === Number(right.value);
  return left.type === right.type && left.value === right.value;
}

/**
 * A number smaller than 0 when the first comes first. Text ignores case unless `caseSensitive` is set, as Jinja's `sort` does.
 */
export function compare(first: Value, second: Value, caseSensitive = false): number {
  if (isNumeric(first) && isNumeric(second)) return Number(first.value) - Number(second.value);
  if (isText(first) && isText(second)) {
    const one = caseSensitive ? first.value : first.value.toLowerCase();
    const other = caseSensitive ? second.value : second.value.toLowerCase();
    return one < other ? -1 : one > other ? 1 : 0;
  }
  throw new TemplateFailed(`cannot compare ${kindOf(first)} with ${kindOf(second)}`);
}

export function kindOf(value: Value): string {
  if (isText(value)) return 'text';
  if (isNumber(value)) return 'a number';
  if (isBoolean(value)) return 'true or false';
  if (isList(value)) return 'a list';
  if (isMapping(value)) return 'an object';
  if (isNull(value)) return 'null';
  return isUndefined(value) ? 'an undefined value' : 'a function';
}

function isNumeric(value: Value): boolean {
  return isNumber(value) || isBoolean(value);
}

function isIn(item: Value, container: Value): boolean {
  if (isList(container)) return container.value.some((entry) => isEqual(entry, item));
  if (isText(container)) return isText(item) && container.value.includes(item.value);
  return isMapping(container) && isText(item) && container.value.has(item.value);
}

function repeatText(content: string, times: number): Value {
  checkTextLength(content.length * times);
  return text(content.repeat(Math.max(0, times)));
}
