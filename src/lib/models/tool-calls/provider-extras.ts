import { omitUndefined } from '../../base/defined';
import { isJsonObject, type Json, type JsonObject } from '../../json/json';
import { AnswerTooLarge } from '../../fetch/errors';
import { assertFewParts } from '../habits/reply-size';
import { ModelReplyError } from '../reply-error';
import type { ModelConfig } from '../types';
import type { CallExtras } from '../../contract/call-extras';
import { shortenExtras } from '../../limits/shorten-extras';

const TURN_BYTES = 128 * 1024;

/** The fields of a message and of a call that are read: everything else is its provider's. */
const READ: Readonly<Record<'message' | 'call' | 'function', readonly string[]>> = {
  message: ['role', 'content', 'tool_calls', 'refusal', 'function_call', 'audio', 'annotations'],
  call: ['id', 'type', 'index', 'function'],
  function: ['name', 'arguments'],
};

/** Fields that pieces of a stream repeat, where other texts are continued. */
const REPEATED = new Set(['id', 'type', 'format', 'model', 'name']);

/** The identity of a model in what it wants back: no other model understands it. */
export function extrasOwner({ name, model }: Pick<ModelConfig, 'name' | 'model'>): string {
  return `${name} ${model}`;
}

/** Picks the fields of a part of a message that only its provider understands; undefined if there are none. */
export function providerFields(part: unknown, kind: keyof typeof READ): JsonObject | undefined {
  if (!isJsonObject(part)) return undefined;
  const own = Object.entries(part).filter(
    ([name, value]) => !READ[kind].includes(name) && value !== null && value !== undefined,
  );
  const inside = kind === 'call' ? providerFields(part['function'], 'function') : undefined;
  if (own.length === 0 && !inside) return undefined;
  return { ...Object.fromEntries(own), ...(inside && { function: inside }) };
}

const MERGED_LEVELS = 20;

function mergeItems(before: readonly Json[], items: readonly Json[], level: number): Json[] {
  const merged = [...before];
  for (const item of items) {
    const { index, type } = isJsonObject(item) ? item : {};
    const at = merged.findLastIndex(
      (each) => index !== undefined && isJsonObject(each) && each['index'] === index && each['type'] === type,
    );
    if (at === -1) merged.push(item);
    else merged[at] = mergePieces(merged[at]!, item, level);
  }
  assertFewParts(merged.length);
  return merged;
}

/** Puts together what two pieces of a stream have in one place: texts are continued, items of lists are merged by their index. */
export function mergePieces(before: Json | undefined, piece: Json, level = 0): Json {
  if (before === undefined || before === null || level > MERGED_LEVELS) return piece;
  if (typeof before === 'string' && typeof piece === 'string') return before + piece;
  if (Array.isArray(before) && Array.isArray(piece)) return mergeItems(before, piece, level + 1);
  if (!isJsonObject(before) || !isJsonObject(piece)) return piece ?? before;
  const fields = Object.entries(piece).map(([name, value]): [string, Json] => {
    const known = Object.hasOwn(before, name) ? before[name] : undefined;
    return [name, REPEATED.has(name) ? (known ?? value ?? null) : mergePieces(known, value ?? null, level + 1)];
  });
  return { ...before, ...Object.fromEntries(fields) };
}

/** @throws AnswerTooLarge for a value that is nested too deeply, ModelReplyError `InvalidReply` for what is no JSON */
export function jsonText(value: unknown): string {
  try {
    return (JSON.stringify(value) as string | undefined) ?? '';
  } catch (error) {
    if (error instanceof RangeError) throw new AnswerTooLarge('has arguments that are too large', 0);
    throw new ModelReplyError('InvalidReply', `The arguments of a tool call are no JSON: ${(error as Error).message}`);
  }
}

/** Reads the extras of one call, and with the first call those of its turn. Extras that are too large are shortened. */
export function callExtras(by: string, call: JsonObject | undefined, turn?: JsonObject): CallExtras | undefined {
  if (!call && !turn) return undefined;
  const extras = omitUndefined({ by, call, turn });
  return Buffer.byteLength(jsonText(extras)) <= TURN_BYTES ? extras : shortenExtras(extras);
}
