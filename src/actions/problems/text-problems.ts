import { isJsonObject, type Json } from '../../lib/json/json';
import { jsonPointer } from '../../lib/json/json-pointer';
import type { TypedProblem } from '../../lib/base/spec-problem';
import { templateProblemsAsync } from '../../lib/templates';

/** Checks all templates inside a value in one request: the way to a thread takes longer than a single text. */
export async function textProblems(value: Json, at: (string | number)[]): Promise<TypedProblem[]> {
  const texts = textsIn(value, at);
  const found = await templateProblemsAsync(texts.map(({ text }) => text));
  return texts.flatMap(({ path }, index) => found[index]!.map((message) => ({ path: jsonPointer(path), message })));
}

function textsIn(value: Json, path: (string | number)[]): { text: string; path: (string | number)[] }[] {
  if (typeof value === 'string') return [{ text: value, path }];
  if (Array.isArray(value)) return value.flatMap((item, index) => textsIn(item, [...path, index]));
  return isJsonObject(value) ? Object.entries(value).flatMap(([key, item]) => textsIn(item, [...path, key])) : [];
}
