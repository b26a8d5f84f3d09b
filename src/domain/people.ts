import { COMMAND_NAMES } from './command-payloads';
import { isJson, isJsonObject, type Json, type JsonObject } from './json';
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

/** Entries kept of what is no command: a program with signals of its own must not push out what people said. */
const REMEMBERED_UNKNOWN = 10;
const UNKNOWN_NAME_CHARACTERS = 100;
const UNKNOWN_PAYLOAD_BYTES = 1024;

/** As it was sent, where it is not too large, nor so deep that it cannot be written down again. */
function kept(payload: Json, mostBytes: number): Json {
  if (!isJson(payload)) return { omitted: 'no JSON, or nested too deeply' } satisfies JsonObject;
  const bytes = jsonBytes(payload);
  return bytes <= mostBytes ? payload : ({ omittedBytes: bytes } satisfies JsonObject);
}

/** A payload for the record: outputs stand in the history of versions, and what nobody asked for is not kept at any size. */
function noted(name: string, payload: Json): Json {
  if (name === 'override' && isJsonObject(payload) && Object.hasOwn(payload, 'output') && isJson(payload)) {
    const { output, ...rest } = payload;
    return kept({ ...rest, outputBytes: jsonBytes(output) }, PAYLOAD_BYTES);
  }
  return kept(payload, PAYLOAD_BYTES);
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

/** The record with one entry more, of a signal whose name means nothing; the oldest such entries make room. */
export function noteUnknown(
  people: readonly PersonEntry[],
  { name, payload = {}, at }: { name: string; payload: Json | undefined; at: string },
  why: string,
): PersonEntry[] {
  const entry: PersonEntry = {
    name: name.slice(0, UNKNOWN_NAME_CHARACTERS),
    payload: kept(payload, UNKNOWN_PAYLOAD_BYTES),
    at,
    via: 'signal',
    applied: false,
    why,
  };
  const unknown = people.filter((each) => !(COMMAND_NAMES as readonly string[]).includes(each.name));
  const crowded = unknown.length >= REMEMBERED_UNKNOWN ? unknown[0] : undefined;
  return [...people.filter((each) => each !== crowded), entry];
}

/** What somebody said with a command: the text of a guide, or why a run was accepted or aborted. */
export function wordsOf({ payload }: PersonEntry): string | undefined {
  const { text, reason } = isJsonObject(payload) ? payload : {};
  return [text, reason].find((words) => typeof words === 'string');
}

/** What became of a command, in few words. */
export function fateOf({ applied, why = '' }: PersonEntry): string {
  if (applied) return 'received';
  return `${why.startsWith('the run ended') ? 'without effect' : 'refused'}: ${why}`;
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
