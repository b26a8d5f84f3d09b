import { isJsonObject, type Json, type JsonObject } from '../../domain/base/json/json';

/** What a file says, in the form that workflows take, and where each part of it was written. */
export interface Placed<Value extends Json = Json> {
  value: Value;
  /** The JSON Pointer into what the file says, for one into `value`. */
  inFile(pointer: string): string;
}

/** What needs no other form. */
export function asWritten<Value extends Json>(value: Value): Placed<Value> {
  return { value, inFile: (pointer) => pointer };
}

/** What stands below a key of an object, in another form. */
export function placedBelow(object: JsonObject, key: string, place: (value: JsonObject) => Placed): Placed<JsonObject> {
  const inner = object[key];
  if (inner === undefined || !isJsonObject(inner)) return asWritten(object);
  const { value, inFile } = place(inner);
  const at = `/${key}`;
  return {
    value: { ...object, [key]: value },
    inFile: (pointer) => (pointer.startsWith(`${at}/`) ? `${at}${inFile(pointer.slice(at.length))}` : pointer),
  };
}

/** What stands in a list below a key of an object, each in another form. */
export function placedEach(object: JsonObject, key: string, place: (value: Json) => Placed): Placed<JsonObject> {
  const listed = object[key];
  if (!Array.isArray(listed)) return asWritten(object);
  const placed = listed.map(place);
  return {
    value: { ...object, [key]: placed.map(({ value }) => value) },
    inFile(pointer) {
      const [, index = ''] = new RegExp(`^/${key}/(\\d+)/`).exec(pointer) ?? [];
      const at = `/${key}/${index}`;
      return index === '' ? pointer : `${at}${placed[Number(index)]!.inFile(pointer.slice(at.length))}`;
    },
  };
}
