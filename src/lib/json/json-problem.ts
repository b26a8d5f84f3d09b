import { DEEPEST, isJson } from './json';

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
  return isJson(value) ? undefined : findProblem(value, []);
}

function findProblem(value: unknown, path: string[]): JsonProblem | undefined {
  if (!isContainer(value)) return isJson(value) ? undefined : { path, message: describeForeign(value) };
  if (path.length > DEEPEST)
    return { path: [], message: `is nested more than ${DEEPEST} levels deep, or contains itself` };
  const isList = Array.isArray(value);
  for (const [key, part] of Object.entries(value)) {
    if (part === undefined && !isList) continue;
    path.push(key);
    const problem = findProblem(part, path);
    if (problem) return problem;
    path.pop();
  }
  return undefined;
}

function isContainer(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  return Array.isArray(value) || [Object.prototype, null].includes(Object.getPrototypeOf(value));
}

function describeForeign(value: unknown): string {
  const type = typeOf(value);
  const is = type === 'NaN' || type === 'Infinity' || type === 'undefined' ? type : `a ${type}`;
  return `is ${is}, which JSON does not have: give ${INSTEAD[type] ?? OTHERWISE}`;
}
