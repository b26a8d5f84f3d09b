import type { Value } from '../jinja-library';
import { isInteger, isList, isMapping, isText, list, text, toValue, undefinedValue } from '../jinja-library';
import { checkItemCount } from '../limits';
import { kindOf } from '../operators';
import { TemplateFailed } from '../limits';

export interface FilterCall {
  name: string;
  operand: Value;
  positional: Value[];
  named: Map<string, Value>;
  apply(name: string, operand: Value, positional: Value[]): Value;
  /** Asks a test, for `select`; without a name, whether the value is true. */
  test(name: Value | undefined, operand: Value, positional: Value[]): boolean;
}

export type Filter = (call: FilterCall) => Value;

export function argument(call: FilterCall, position: number, name: string): Value | undefined {
  return call.positional[position] ?? call.named.get(name);
}

export function flag(call: FilterCall, position: number, name: string): boolean {
  return argument(call, position, name)?.__bool__().value ?? false;
}

export function wholeNumber(call: FilterCall, position: number, name: string, fallback: number): number {
  const given = argument(call, position, name);
  if (given === undefined) return fallback;
  if (isInteger(given)) return given.value;
  throw new TemplateFailed(`filter "${call.name}": ${name} must be a whole number`);
}

export function textArgument(call: FilterCall, position: number, name: string): string | undefined {
  const given = argument(call, position, name);
  if (given === undefined || isText(given)) return given?.value;
  throw new TemplateFailed(`filter "${call.name}": ${name} must be text`);
}

/** Returns the operand as a list: characters of a text, keys of an object. */
export function items(call: FilterCall): Value[] {
  const { operand } = call;
  if (isList(operand)) return operand.value;
  if (isMapping(operand)) return [...operand.value.keys()].map((key) => text(key));
  if (isText(operand)) {
    checkItemCount(operand.value.length);
    return Array.from(operand.value, (character) => text(character));
  }
  throw new TemplateFailed(`filter "${call.name}" needs a list, not ${kindOf(operand)}`);
}

export function pairs(call: FilterCall): Value[] {
  if (isText(call.operand) && call.operand.value === '') return [];
  if (!isMapping(call.operand)) {
    throw new TemplateFailed(`filter "${call.name}" needs an object, not ${kindOf(call.operand)}`);
  }
  return [...call.operand.value].map(([key, value]) => list([text(key), value]));
}

/** Returns a nested attribute such as `user.name` or `items.0`. */
export function attribute(value: Value, path: Value | undefined): Value {
  if (path === undefined) return value;
  let found: Value | undefined = value;
  for (const part of String(path.value).split('.')) {
    if (isMapping(found)) found = found.value.get(part);
    else if (isList(found) && /^\d+$/.test(part)) found = found.value[Number(part)];
    else return undefinedValue();
  }
  return found ?? undefinedValue();
}

export const NULL = toValue(null);
