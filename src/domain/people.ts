import { isJsonObject, type Json, type JsonObject } from './json';
import { jsonBytes } from './slim-versions';

/** What a person (or a program for them) sent to a run, and what became of it. */
export interface PersonEntry {
  name: string;
  /** As it was sent; of one that is large, and of outputs, only the size is kept. */
  payload: Json;
  by?: string;
  /** ISO 8601. */
  at: string;
  via: 'signal' | 'update';
  applied: boolean;
  /** Why it was refused, or had no effect. */
  why?: string;
}

/** People's entries kept; a client that floods a run with refused commands must not fill its memory. */
const REMEMBERED_PEOPLE = 1000;

/** Bytes of all of them at most: they stand in the result, and travel from run to run. */
const REMEMBERED_BYTES = 256 * 1024;

/** Bytes of one payload at most; a guide of the greatest length fits. */
const PAYLOAD_BYTES = 64 * 1024;

const BY_CHARACTERS = 200;

/** A payload for the record: outputs stand in the history of versions, and what nobody asked for is not kept at any size. */
function noted(name: string, payload: Json): Json {
  if (name === 'override' && isJsonObject(payload) && Object.hasOwn(payload, 'output')) {
    const { output, ...rest } = payload;
    return noted('', { ...rest, outputBytes: jsonBytes(output) });
  }
  const bytes = jsonBytes(payload);
  return bytes <= PAYLOAD_BYTES ? payload : ({ omittedBytes: bytes } satisfies JsonObject);
}

/** The record with one entry more; the oldest make room. */
export function notePerson(
  people: readonly PersonEntry[],
  command: { name: string; payload: Json | undefined; via: 'signal' | 'update'; at: string },
  why: string | undefined,
): PersonEntry[] {
  const by = isJsonObject(command.payload) ? command.payload['by'] : undefined;
  const entries = [
    ...people,
    {
      name: command.name,
      payload: noted(command.name, command.payload ?? {}),
      ...(typeof by === 'string' ? { by: by.slice(0, BY_CHARACTERS) } : {}),
      at: command.at,
      via: command.via,
      applied: why === undefined,
      ...(why === undefined ? {} : { why }),
    },
  ].slice(-REMEMBERED_PEOPLE);
  let bytes = jsonBytes(entries);
  while (bytes > REMEMBERED_BYTES && entries.length > 1) bytes -= jsonBytes(entries.shift());
  return entries;
}

/** Notes of the latest entries of a name that they had no effect, as many as there are. */
export function noteUnused(people: readonly PersonEntry[], name: string, count: number, why: string): PersonEntry[] {
  let left = count;
  return people
    .toReversed()
    .map((entry) => {
      if (left === 0 || entry.name !== name || !entry.applied) return entry;
      left -= 1;
      return { ...entry, applied: false, why };
    })
    .toReversed();
}
