import { isAlias, isScalar, parseDocument } from 'yaml';
import { isJsonObject, type Json, type JsonObject } from '../json/json';
import { jsonPointer } from '../json/json-pointer';
import { didYouMean } from '../names/nearest-name';
import { pathFor, type Shape, shapeAt, snakeCase } from './key-names';

/** A value that is given beside a file, by its place in it, such as `evaluator.0.weight`. */
export interface SetValue {
  path: string;
  value: Json;
}

export class UnknownPathError extends Error {
  readonly type = 'UnknownPath';
  override readonly name = 'UnknownPathError';
}

/** Reads a scalar of YAML; a text for anything else, such as a sentence with a colon in it. */
export function readScalar(text: string): Json {
  const { contents, errors } = parseDocument(text);
  if (errors.length > 0 || isAlias(contents) || !isScalar(contents)) return text;
  const { value } = contents;
  const isValue = value === null ? text.trim() !== '' : typeof value === 'boolean' || Number.isFinite(value);
  return isValue || typeof value === 'string' ? (value as Json) : text;
}

function shapeOf(shape: Shape, object: JsonObject): Shape {
  if (shape.kind === 'data' || !shape.choose) return shape;
  return shape.choose((key) => (typeof object[key] === 'string' ? object[key] : undefined));
}

function namesIn(shape: Shape): string[] {
  return shape.kind === 'data' ? [] : [...Object.keys(shape.fields), ...Object.keys(shape.flat ?? {})].map(snakeCase);
}

interface Place {
  shape: Shape;
  written: readonly string[];
  at: readonly string[];
}

function setAt(value: Json | undefined, place: Place, rest: readonly string[], given: SetValue, done: string[]): Json {
  const [key, ...further] = rest;
  if (key === undefined) {
    done.push(jsonPointer(place.at));
    return given.value;
  }
  const refuse = (why: string): never => {
    const where = place.written.length === 0 ? 'the file' : place.written.join('.');
    throw new UnknownPathError(`--set ${given.path}: ${where} ${why}.`);
  };
  const written = [...place.written, key];
  if (Array.isArray(value)) {
    const index = /^\d{1,9}$/.test(key) ? Number(key) : value.length;
    if (index >= value.length) {
      const range = value.length === 0 ? 'which is empty' : `so a number from 0 to ${value.length - 1} comes next`;
      return refuse(`is a list, ${range}`);
    }
    const inner = { shape: place.shape, written, at: [...place.at, key] };
    return value.with(index, setAt(value[index], inner, further, given, done));
  }
  if (value !== undefined && value !== null && !isJsonObject(value)) return refuse(`is no object, so it has no ${key}`);
  const object = isJsonObject(value) ? value : {};
  const shape = shapeOf(place.shape, object);
  const target = pathFor(key, shape);
  const names = namesIn(shape);
  if (names.length > 0 && !names.includes(snakeCase(key)) && !names.includes(snakeCase(target[0]!)))
    return refuse(`has no field ${key}${didYouMean(snakeCase(key), names)}`);
  // A short name of a file may stand for a field of a field.
  const [first, ...below] = target;
  const inner = {
    shape: shapeAt(shape, [first!]),
    written: below.length > 0 ? place.written : written,
    at: [...place.at, first!],
  };
  const part = Object.hasOwn(object, first!) ? object[first!] : undefined;
  const changed = setAt(part, inner, [...below, ...further], given, done);
  // fromEntries defines own properties: a key such as __proto__ stays an ordinary key.
  return Object.fromEntries([...Object.entries(object), [first!, changed]]);
}

/** Sets values of a file, and points to them. Throws UnknownPathError with the nearest name. */
export function setValues(value: Json, shape: Shape, given: readonly SetValue[]): { value: Json; pointers: string[] } {
  const pointers: string[] = [];
  const changed = given.reduce<Json>(
    (whole, each) => setAt(whole, { shape, written: [], at: [] }, each.path.split('.'), each, pointers),
    value,
  );
  return { value: changed, pointers };
}
