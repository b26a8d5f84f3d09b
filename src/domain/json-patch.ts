import { isJsonObject, type Json } from './json';
import { pointerSegments } from './json-pointer';
import { jsonBytes } from './slim-versions';

/** An operation of RFC 6902. */
export type PatchOperation =
  | { op: 'add' | 'replace' | 'test'; path: string; value: Json }
  | { op: 'remove'; path: string }
  | { op: 'move' | 'copy'; path: string; from: string };

class PatchProblem extends Error {}

function isPointer(value: Json | undefined): value is string {
  return value === '' || (typeof value === 'string' && value.startsWith('/'));
}

function isOperation(value: Json): boolean {
  if (!isJsonObject(value) || !isPointer(value['path'])) return false;
  if (value['op'] === 'remove') return true;
  if (value['op'] === 'move' || value['op'] === 'copy') return isPointer(value['from']);
  return (value['op'] === 'add' || value['op'] === 'replace' || value['op'] === 'test') && 'value' in value;
}

/** A value as a list of operations; undefined when it is none. */
export function readPatch(value: Json): PatchOperation[] | undefined {
  if (!Array.isArray(value) || value.length === 0 || !value.every(isOperation)) return undefined;
  return value as unknown as PatchOperation[];
}

function indexIn(list: readonly Json[], token: string, end: number, pointer: string): number {
  const index = token === '-' ? list.length : /^(?:0|[1-9]\d*)$/.test(token) ? Number(token) : Number.NaN;
  if (!(index <= end)) throw new PatchProblem(`there is nothing at ${pointer}`);
  return index;
}

function child(parent: Json, token: string, pointer: string): Json {
  if (Array.isArray(parent)) return parent[indexIn(parent, token, parent.length - 1, pointer)]!;
  if (isJsonObject(parent) && Object.hasOwn(parent, token)) return parent[token]!;
  throw new PatchProblem(`there is nothing at ${pointer}`);
}

function valueAt(document: Json, pointer: string): Json {
  return pointerSegments(pointer).reduce((at, token) => child(at, token, pointer), document);
}

/** A copy in which what a pointer names was changed; what is not on the way to it is shared, not copied. */
function changed(document: Json, pointer: string, change: 'add' | 'replace' | 'remove', value: Json): Json {
  const go = (at: Json, [token, ...rest]: string[]): Json => {
    if (token === undefined) return value;
    const last = rest.length === 0;
    if (Array.isArray(at)) {
      const index = indexIn(at, token, last && change === 'add' ? at.length : at.length - 1, pointer);
      if (!last) return at.with(index, go(at[index]!, rest));
      if (change === 'add') return at.toSpliced(index, 0, value);
      return change === 'remove' ? at.toSpliced(index, 1) : at.with(index, value);
    }
    if (!isJsonObject(at)) throw new PatchProblem(`there is nothing at ${pointer}`);
    if (last && change === 'remove') {
      child(at, token, pointer);
      return Object.fromEntries(Object.entries(at).filter(([key]) => key !== token));
    }
    const inner = last ? value : go(child(at, token, pointer), rest);
    if (last && change === 'replace') child(at, token, pointer);
    // Not a spread with a computed key: `__proto__` must become a key like any other.
    const entries = Object.entries(at);
    const place = entries.findIndex(([key]) => key === token);
    return Object.fromEntries(place < 0 ? [...entries, [token, inner]] : entries.with(place, [token, inner]));
  };
  if (pointer === '' && change === 'remove') throw new PatchProblem('the whole output cannot be removed');
  return go(document, pointerSegments(pointer));
}

function sameJson(one: Json, other: Json): boolean {
  if (Array.isArray(one)) {
    return (
      Array.isArray(other) && one.length === other.length && one.every((item, index) => sameJson(item, other[index]!))
    );
  }
  if (!isJsonObject(one)) return one === other;
  const keys = Object.keys(one);
  if (!isJsonObject(other) || keys.length !== Object.keys(other).length) return false;
  return keys.every((key) => Object.hasOwn(other, key) && sameJson(one[key]!, other[key]!));
}

function applied(document: Json, operation: PatchOperation, budget: { left: number }): Json {
  switch (operation.op) {
    case 'add':
    case 'replace':
      return changed(document, operation.path, operation.op, operation.value);
    case 'remove':
      return changed(document, operation.path, 'remove', null);
    case 'copy': {
      const value = valueAt(document, operation.from);
      budget.left -= jsonBytes(value);
      if (budget.left < 0) throw new PatchProblem('it copies too much');
      return changed(document, operation.path, 'add', value);
    }
    case 'move': {
      if (`${operation.path}/`.startsWith(`${operation.from}/`) && operation.path !== operation.from) {
        throw new PatchProblem(`${operation.from} cannot be moved into itself`);
      }
      const value = valueAt(document, operation.from);
      return changed(changed(document, operation.from, 'remove', null), operation.path, 'add', value);
    }
    default:
      if (sameJson(valueAt(document, operation.path), operation.value)) return document;
      throw new PatchProblem(`${operation.path} is not what the edit expects`);
  }
}

/** Bytes that the copies of a patch make at most: each can double a document, so a few would make one that fits nowhere. */
const COPIED_BYTES = 16 * 1_024 * 1_024;

/** Applies a JSON Patch (RFC 6902): all of it, or nothing with the reason. */
export function applyPatch(document: Json, patch: readonly PatchOperation[]): { value: Json } | { problem: string } {
  try {
    const budget = { left: COPIED_BYTES };
    return { value: patch.reduce((value, operation) => applied(value, operation, budget), document) };
  } catch (error) {
    if (error instanceof PatchProblem) return { problem: error.message };
    throw error;
  }
}
