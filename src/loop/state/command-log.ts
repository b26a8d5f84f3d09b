import type { PersonEntry } from '../contract/results';
import { COMMAND_NAMES } from '../base/command-payloads';
import { isJson, isJsonObject, type Json, type JsonObject } from '../../lib/json/json';
import { jsonBytes } from '../../lib/json/json-bytes';

/** The record of the messages that users sent, the oldest first. */
export interface PeopleRecord {
  people: PersonEntry[];
  /** Kept up with each entry, so that adding one costs the same however many there are. */
  peopleTally?: PeopleTally;
}

interface PeopleTally {
  /** Bytes of all entries as JSON, about. */
  bytes: number;
  /** The time at which the latest entry arrived. Messages of one activation arrive at the same moment. */
  at: string;
  /** Entries of that moment that were refused, and of those that are not commands. */
  refused: number;
  unknown: number;
}

/** People's entries kept; a client that floods a run with refused commands must not fill its memory. */
const REMEMBERED_PEOPLE = 1000;

const REMEMBERED_BYTES = 256 * 1024;

const PAYLOAD_BYTES = 64 * 1024;

const BY_CHARACTERS = 200;
const TO_CHARACTERS = 100;

export const NOTED_REFUSALS = 100;

/** A program with signals of its own must not push out the commands of users. */
const REMEMBERED_UNKNOWN = 10;
const UNKNOWN_NAME_CHARACTERS = 100;
const UNKNOWN_PAYLOAD_BYTES = 1024;

function limitPayload(payload: Json, mostBytes: number): Json {
  if (!isJson(payload)) return { omitted: 'no JSON, or nested too deeply' } satisfies JsonObject;
  const bytes = jsonBytes(payload);
  return bytes <= mostBytes ? payload : ({ omittedBytes: bytes } satisfies JsonObject);
}

/** A payload for the record: outputs are in the history of versions, and no unrequested output is kept at any size. */
function preparePayload(name: string, payload: Json): Json {
  if (name === 'override' && isJsonObject(payload) && Object.hasOwn(payload, 'output') && isJson(payload)) {
    const { output, ...rest } = payload;
    return limitPayload({ ...rest, outputBytes: jsonBytes(output) }, PAYLOAD_BYTES);
  }
  const limited = limitPayload(payload, PAYLOAD_BYTES);
  const to = isJsonObject(payload) && payload !== limited ? payload['to'] : undefined;
  // It names the wait, which the record of an answer without effect is found by.
  return typeof to === 'string' && isJsonObject(limited) ? { ...limited, to: to.slice(0, TO_CHARACTERS) } : limited;
}

function updateTally(record: PeopleRecord, at: string): PeopleTally {
  const bytes = (): number => record.people.reduce((sum, entry) => sum + jsonBytes(entry) + 1, 2);
  const tally = (record.peopleTally ??= { bytes: bytes(), at, refused: 0, unknown: 0 });
  if (tally.at !== at) Object.assign(tally, { at, refused: 0, unknown: 0 });
  return tally;
}

const isCommand = ({ name }: Pick<PersonEntry, 'name'>): boolean => (COMMAND_NAMES as readonly string[]).includes(name);

/** Adds an entry to the count of the latest noted one of the same moment and kind; returns false if there is none. */
function countAlong({ people }: PeopleRecord, tally: PeopleTally, ofCommands: boolean): boolean {
  const last = people.findLast((entry) => !entry.applied && entry.at === tally.at && isCommand(entry) === ofCommands);
  if (!last) return false;
  last.more = (last.more ?? 0) + 1;
  return true;
}

function takeOut({ people }: PeopleRecord, tally: PeopleTally, index = 0): void {
  const [entry] = people.splice(index, 1);
  if (entry) tally.bytes -= jsonBytes(entry) + 1;
}

function add({ people }: PeopleRecord, tally: PeopleTally, entry: PersonEntry): void {
  people.push(entry);
  tally.bytes += jsonBytes(entry) + 1;
}

export function notePerson(
  record: PeopleRecord,
  command: { name: string; payload: Json | undefined; via: 'signal' | 'update'; at: string },
  why: string | undefined,
): void {
  const tally = updateTally(record, command.at);
  if (why !== undefined) {
    if (tally.refused >= NOTED_REFUSALS && countAlong(record, tally, true)) return;
    tally.refused += 1;
  }
  const by = isJsonObject(command.payload) ? command.payload['by'] : undefined;
  add(record, tally, {
    name: command.name,
    payload: preparePayload(command.name, command.payload ?? {}),
    ...(typeof by === 'string' ? { by: by.slice(0, BY_CHARACTERS) } : {}),
    at: command.at,
    via: command.via,
    applied: why === undefined,
    ...(why === undefined ? {} : { why }),
  });
  const { people } = record;
  while (people.length > REMEMBERED_PEOPLE || (tally.bytes > REMEMBERED_BYTES && people.length > 1)) {
    takeOut(record, tally);
  }
}

/** @param why asked only where it is noted */
export function noteUnknown(
  record: PeopleRecord,
  { name, payload = {}, at }: { name: string; payload: Json | undefined; at: string },
  why: (name: string) => string,
): void {
  const tally = updateTally(record, at);
  if (tally.unknown >= REMEMBERED_UNKNOWN && countAlong(record, tally, false)) return;
  tally.unknown += 1;
  const unknown = record.people.filter((entry) => !isCommand(entry));
  const [oldest] = unknown;
  if (oldest && unknown.length >= REMEMBERED_UNKNOWN) takeOut(record, tally, record.people.indexOf(oldest));
  add(record, tally, {
    name: name.slice(0, UNKNOWN_NAME_CHARACTERS),
    payload: limitPayload(payload, UNKNOWN_PAYLOAD_BYTES),
    at,
    via: 'signal',
    applied: false,
    why: why(name),
  });
}

/** The words that a user sent with a command: the text of a guide, or why a run was accepted or aborted. */
export function wordsOf({ payload }: PersonEntry): string | undefined {
  const { text, reason } = isJsonObject(payload) ? payload : {};
  return [text, reason].find((words) => typeof words === 'string');
}

/** Describes in few words whether a command was received, and why not. Without `applied` it is not known yet. */
export function fateOf({ applied, why = '', more }: Partial<Pick<PersonEntry, 'applied' | 'why' | 'more'>>): string {
  if (applied === undefined) return 'sent; its effect is known at the end of the run';
  if (applied) return 'received';
  const others = more === undefined ? '' : ` (and ${more} more refused with it)`;
  return `${/^the (run ended|step was given up)/.test(why) ? 'without effect' : 'refused'}${others}: ${why}`;
}

export function extendEntry(record: PeopleRecord, entry: PersonEntry, facts: Partial<PersonEntry>): void {
  Object.assign(entry, facts);
  delete record.peopleTally;
}

/** Notes of the latest entries of a name that they had no effect, as many as there are. */
export function noteUnused(record: PeopleRecord, name: string, count: number, why: string): void {
  let left = count;
  for (const entry of record.people.toReversed()) {
    if (left === 0) break;
    if (entry.name !== name || !entry.applied) continue;
    left -= 1;
    entry.applied = false;
    entry.why = why;
  }
  delete record.peopleTally;
}

export function noteUnusedAnswer(record: PeopleRecord, id: string, why: string): void {
  const entry = record.people.findLast(
    ({ name, applied, payload }) => name === 'answer' && applied && isJsonObject(payload) && payload['to'] === id,
  );
  if (entry) extendEntry(record, entry, { applied: false, why });
}
