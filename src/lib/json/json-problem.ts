import { DEEPEST, isJson } from './json';

/** Replacements for values that JSON does not have, by their type. */
const INSTEAD: Readonly<Record<string, string>> = {
  Date: 'a text, such as `toISOString()` gives',
  Map: 'an object, such as `Object.fromEntries(map)`',
  Set: 'a list, such as `[...set]`',
  NaN: 'a number or null',
  Infinity: 'a number or null',
  bigint: 'a number, or a text for one above 2^53',
  Promise: 'its value: await it',
};

const OTHERWISE = 'texts, numbers, true, false, null, lists and plain objects of these';

function typeOf(value: unknown): string {
  if (typeof value === 'number') return Number.isNaN(value) ? 'NaN' : 'Infinity';
  if (typeof value !== 'object' || value === null) return typeof value;
  const { constructor: made } = value as { constructor?: unknown };
  return typeof made === 'function' && made.name !== '' ? made.name : 'value of a class';
}

/** The first part of a value that JSON does not have: its place, and what to give instead. */
export interface JsonProblem {
  path: string[];
  message: string;
}

/** Finds the first part of a value that JSON does not have, or that is nested too deeply; undefined where all of it is JSON. */
export function jsonProblem(value: unknown): JsonProblem | undefined {
  if (isJson(value)) return undefined;
  const path: string[] = [];
  let here = value;
  while (path.length <= DEEPEST) {
    const isPlain =
      typeof here === 'object' &&
      (Array.isArray(here) || [Object.prototype, null].includes(Object.getPrototypeOf(here)));
    const inner = isPlain
      ? Object.entries(here as object).find(([, part]) => part !== undefined && !isJson(part))
      : undefined;
    if (!inner) {
      const type = typeOf(here);
      const is = type === 'NaN' || type === 'Infinity' || type === 'undefined' ? type : `a ${type}`;
      return { path, message: `is ${is}, which JSON does not have: give ${INSTEAD[type] ?? OTHERWISE}` };
    }
    path.push(inner[0]);
    here = inner[1];
  }
  return { path: [], message: `is nested more than ${DEEPEST} levels deep, or contains itself` };
}
