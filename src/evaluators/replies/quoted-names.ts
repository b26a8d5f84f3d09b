import { isJsonObject, type JsonObject } from '../../domain/base/json/json';

const QUOTED =
  /draft|output|quot|example|input|task|attempt|submission|injection|fake|forged|claim|alleged|embedded|author|demand|request|attack/i;

/** Whether the name of a field says that its value repeats something, and does not judge. */
export function isCalledQuote(name: string): boolean {
  return QUOTED.test(name) && name !== 'output_json';
}

/** The objects inside of another that have a field, without those whose name says that they are quotes. */
export function objectsWith(object: JsonObject, field: string): JsonObject[] {
  return Object.entries(object).flatMap(([name, inner]) =>
    !isCalledQuote(name) && isJsonObject(inner) && field in inner ? [inner] : [],
  );
}
