import { differences } from './json-difference';
import { isJsonObject, type Json, type JsonObject } from '../json/json';
import { pointerSegments } from '../json/json-pointer';
import { jsonBytes } from '../json/json-bytes';

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

function targetAt(document: Json, pointer: string): Json {
  return pointerSegments(pointer).reduce((at, token) => child(at, token, pointer), document);
}

/** Containers that this patch has copied: each is copied once, and not for each operation. */
type OwnCopies = Set<Json>;

function ownCopy<Container extends Json[] | JsonObject>(at: Container, owned: OwnCopies): Container {
  if (owned.has(at)) return at;
  const copy = (Array.isArray(at) ? [...at] : Object.fromEntries(Object.entries(at))) as Container;
  owned.add(copy);
  return copy;
}

/** Sets a key. Not by an assignment: `__proto__` must become a key like any other. */
function put(at: JsonObject, key: string, value: Json): void {
  Object.defineProperty(at, key, { value, configurable: true, enumerable: true, writable: true });
}

/** Changes the value at a pointer of a document; parts that are not on the way to it are shared, not copied. */
function changeAt(
  document: Json,
  pointer: string,
  change: 'add' | 'replace' | 'remove',
  value: Json,
  owned: OwnCopies,
): Json {
  const go = (at: Json, [token, ...rest]: string[]): Json => {
    if (token === undefined) return value;
    const last = rest.length === 0;
    if (Array.isArray(at)) {
      const index = indexIn(at, token, last && change === 'add' ? at.length : at.length - 1, pointer);
      const inner = last ? value : go(at[index]!, rest);
      const own = ownCopy(at, owned);
      if (last && change === 'add') own.splice(index, 0, inner);
      else if (last && change === 'remove') own.splice(index, 1);
      else own[index] = inner;
      return own;
    }
    if (!isJsonObject(at)) throw new PatchProblem(`there is nothing at ${pointer}`);
    // Only what is added may be new.
    const former = last && change === 'add' ? null : child(at, token, pointer);
    const inner = last ? value : go(former, rest);
    const own = ownCopy(at, owned);
    if (last && change === 'remove') delete own[token];
    else put(own, token, inner);
    return own;
  };
  if (pointer === '' && change === 'remove') throw new PatchProblem('the whole output cannot be removed');
  return go(document, pointerSegments(pointer));
}

function applyOperation(document: Json, operation: PatchOperation, budget: { left: number }, owned: OwnCopies): Json {
  switch (operation.op) {
    case 'add':
    case 'replace':
      return changeAt(document, operation.path, operation.op, operation.value, owned);
    case 'remove':
      return changeAt(document, operation.path, 'remove', null, owned);
    case 'copy': {
      const value = targetAt(document, operation.from);
      budget.left -= jsonBytes(value);
      if (budget.left < 0) throw new PatchProblem('it copies too much');
      // A value that is in two places is changed in one.
      return changeAt(document, operation.path, 'add', structuredClone(value), owned);
    }
    case 'move': {
      if (`${operation.path}/`.startsWith(`${operation.from}/`) && operation.path !== operation.from) {
        throw new PatchProblem(`${operation.from} cannot be moved into itself`);
      }
      const value = targetAt(document, operation.from);
      return changeAt(changeAt(document, operation.from, 'remove', null, owned), operation.path, 'add', value, owned);
    }
    default:
      if (differences(targetAt(document, operation.path), operation.value, 1).length === 0) return document;
      throw new PatchProblem(`${operation.path} is not what the edit expects`);
  }
}

/** The most bytes that the copies of a patch add: each copy can double a document. */
const COPIED_BYTES = 16 * 1_024 * 1_024;

/** Applies a JSON Patch (RFC 6902): all of it, or nothing with the reason. */
export function applyPatch(document: Json, patch: readonly PatchOperation[]): { value: Json } | { problem: string } {
  try {
    const budget = { left: COPIED_BYTES };
    const owned: OwnCopies = new Set();
    return { value: patch.reduce((value, operation) => applyOperation(value, operation, budget, owned), document) };
  } catch (error) {
    if (error instanceof PatchProblem) return { problem: error.message };
    throw error;
  }
}
