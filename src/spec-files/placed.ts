import { isJsonObject, type Json, type JsonObject } from '../lib/json/json';
import type { SpecProblem } from '../lib/contract/spec-problem';

/** The contents of a file in the form that workflows take, with the location of each part in the file. */
export interface Placed<Value extends Json = Json> {
  value: Value;
  inFile(pointer: string): string;
  /** Parts taken in another way than their author may expect, by JSON Pointers into the file. Undefined: none. */
  warnings?: SpecProblem[];
}

export function asWritten<Value extends Json>(value: Value): Placed<Value> {
  return { value, inFile: (pointer) => pointer };
}

function below(at: string, warnings: readonly SpecProblem[] = []): SpecProblem[] {
  return warnings.map(({ path, message }) => ({ path: `${at}${path}`, message }));
}

export function chainForms<Value extends Json>(
  first: Placed<Value>,
  place: (value: Value) => Placed<Value>,
): Placed<Value> {
  const { value, inFile, warnings = [] } = place(first.value);
  return {
    value,
    inFile: (pointer) => first.inFile(inFile(pointer)),
    warnings: [
      ...(first.warnings ?? []),
      ...warnings.map(({ path, message }) => ({ path: first.inFile(path), message })),
    ],
  };
}

export function placeBelow(object: JsonObject, key: string, place: (value: JsonObject) => Placed): Placed<JsonObject> {
  const inner = object[key];
  if (inner === undefined || !isJsonObject(inner)) return asWritten(object);
  const { value, inFile, warnings } = place(inner);
  const at = `/${key}`;
  return {
    value: { ...object, [key]: value },
    inFile: (pointer) => (pointer.startsWith(`${at}/`) ? `${at}${inFile(pointer.slice(at.length))}` : pointer),
    warnings: below(at, warnings),
  };
}

export function placeEach(object: JsonObject, key: string, place: (value: Json) => Placed): Placed<JsonObject> {
  const listed = object[key];
  if (!Array.isArray(listed)) return asWritten(object);
  const placed = listed.map(place);
  return {
    value: { ...object, [key]: placed.map(({ value }) => value) },
    inFile(pointer) {
      const [, index = ''] = new RegExp(`^/${key}/(\\d+)/`).exec(pointer) ?? [];
      const at = `/${key}/${index}`;
      const each = index === '' ? undefined : placed[Number(index)];
      return each ? `${at}${each.inFile(pointer.slice(at.length))}` : pointer;
    },
    warnings: placed.flatMap(({ warnings }, index) => below(`/${key}/${index}`, warnings)),
  };
}
