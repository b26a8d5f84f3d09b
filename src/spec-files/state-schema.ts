import { isJsonObject, type Json, type JsonObject } from '../lib/json/json';
import { jsonPointer } from '../lib/json/json-pointer';
import type { SpecProblem } from '../lib/contract/spec-problem';

const isText = (value: Json): boolean => typeof value === 'string';
const isNumber = (value: Json): boolean => typeof value === 'number';
const isBoolean = (value: Json): boolean => typeof value === 'boolean';

const TYPES: Record<string, (value: Json) => boolean> = {
  str: isText,
  string: isText,
  text: isText,
  int: Number.isInteger,
  integer: Number.isInteger,
  float: isNumber,
  double: isNumber,
  number: isNumber,
  bool: isBoolean,
  boolean: isBoolean,
  list: Array.isArray,
  array: Array.isArray,
  tuple: Array.isArray,
  set: Array.isArray,
  dict: isJsonObject,
  map: isJsonObject,
  object: isJsonObject,
};

/** Types such as `str`, `list[str]`, `Optional[int]`, `str | int`; undefined where one of them is unknown. */
function testsOf(declared: string): ((value: Json) => boolean)[] | undefined {
  const [, optional] = /^optional\[(.*)\]$/i.exec(declared.trim()) ?? [];
  const names = (optional ?? declared)
    .replaceAll(/\[[^\]]*\]+/g, (brackets) => (brackets === '[]' ? '[]' : ''))
    .split('|')
    .map((name) => name.trim().toLowerCase().replace(/\?$/, ''));
  const tests = names
    .filter((name) => name !== 'none' && name !== 'null')
    .map((name) => (name.endsWith('[]') ? Array.isArray : Object.hasOwn(TYPES, name) ? TYPES[name] : undefined));
  const known = tests.filter((test) => test !== undefined);
  return known.length === tests.length ? known : undefined;
}

/** Lists the declaration of each key: a type, or an object with one. A JSON Schema of the state declares it in its properties. */
function declarations(schema: Json): [key: string, declared: Json, path: string[]][] {
  if (!isJsonObject(schema)) return [];
  const { type, properties } = schema;
  const isWhole = type === 'object' && isJsonObject(properties);
  const entries = Object.entries(isWhole ? properties : schema);
  return entries.map(([key, declared]) => [key, declared, isWhole ? ['properties', key] : [key]]);
}

function typeNames(declared: Json): string[] {
  const type = isJsonObject(declared) ? declared['type'] : declared;
  return [type ?? []].flat().filter((name): name is string => typeof name === 'string');
}

export function defaultsOf(schema: Json | undefined): JsonObject {
  return Object.fromEntries(
    declarations(schema ?? null).flatMap(([key, declared]) =>
      isJsonObject(declared) && 'default' in declared ? [[key, declared['default']!]] : [],
    ),
  );
}

function kindOf(value: Json): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  return { string: 'a text', number: 'a number', boolean: 'a boolean' }[typeof value as string] ?? 'something else';
}

/** Lists values that are not of the type that the file declares at the path `at`. Null is missing. */
export function stateWarnings(schema: Json | undefined, state: JsonObject, at: string): SpecProblem[] {
  return declarations(schema ?? null).flatMap(([key, declared, path]) => {
    const value = Object.hasOwn(state, key) ? state[key]! : null;
    const names = typeNames(declared);
    const tests = names.map(testsOf);
    if (value === null || names.length === 0 || tests.includes(undefined)) return [];
    if (tests.flat().some((test) => test!(value))) return [];
    const message = `declares ${names.join(' or ')}, and the state has ${kindOf(value)} there`;
    return [{ path: `${at}${jsonPointer(path)}`, message }];
  });
}
