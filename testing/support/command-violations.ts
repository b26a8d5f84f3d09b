import type { CommandName } from '../../src/loop/base/command-payloads';
import type { Json, JsonObject } from '../../src/lib/json/json';
import type { PersonEntry, ReflectionResult } from '../../src/loop/contract/results';
import type { SentCommand } from './command-sequences';

/** What was answered to the commands that were sent before the end; an id stands as often as it was answered. */
export interface Answers {
  /** Ids of updates that were answered with where the run stands. */
  acknowledged: string[];
  /** Updates that were refused. */
  refused: { id: string; why: string }[];
  /** Ids of signals that the server took. */
  signalled: string[];
}

interface Ended {
  result: ReflectionResult;
  sequence: readonly SentCommand[];
  answers: Answers;
  /** `maxIterations` of the spec, and of the run at its end. */
  firstLimit: number;
  maxIterations: number;
}

const idOf = (payload: Json): string => String((payload as JsonObject)['id']);

/** Taken, and noted that the run ended before there was something to do with it. */
const cameTooLate = ({ why }: PersonEntry): boolean => why?.startsWith('the run ended before') ?? false;

function sameTexts(one: readonly string[], other: readonly string[]): boolean {
  const sorted = (texts: readonly string[]): string =>
    JSON.stringify(texts.toSorted((left, right) => left.localeCompare(right)));
  return sorted(one) === sorted(other);
}

/** What the record says against what was answered. */
function recordViolations(people: readonly PersonEntry[], { acknowledged, refused, signalled }: Answers): string[] {
  const found: string[] = [];
  // What was refused may be sent again with its id; what was carried out counts.
  const carriedOut = people.filter((entry) => entry.applied || cameTooLate(entry));
  const entries = new Map([...people, ...carriedOut].map((entry) => [idOf(entry.payload), entry]));
  const ids = new Set(carriedOut.map(({ payload }) => idOf(payload)));
  if (ids.size !== carriedOut.length) found.push('an id was carried out twice');
  for (const [id, { by }] of entries) {
    if (by !== (id === 'end' ? 'the end' : `person ${id}`)) found.push(`${id} is said to be of ${by}`);
  }
  for (const id of signalled) if (!entries.has(id)) found.push(`the signal ${id} was taken, and is not in the record`);
  for (const id of acknowledged) {
    const entry = entries.get(id);
    if (!entry) found.push(`${id} was acknowledged, and is not in the record`);
    else if (!entry.applied && !cameTooLate(entry)) found.push(`${id} was acknowledged, and is not applied`);
  }
  for (const { id } of refused) {
    if (entries.has(id) && !acknowledged.includes(id) && !signalled.includes(id))
      found.push(`${id} was refused, and is in the record`);
  }
  return found;
}

/** What the run did against what the record says was applied. */
function effectViolations({ result, sequence, firstLimit, maxIterations }: Ended): string[] {
  const { people, versions, convergenceReason } = result.history;
  const found: string[] = [];
  const payloads = new Map(sequence.map(({ payload }) => [idOf(payload), payload]));
  const applied = (name: CommandName): JsonObject[] =>
    people
      .filter((entry) => entry.name === name && entry.applied)
      .map(({ payload }) => payloads.get(idOf(payload)) ?? {});
  const texts = (name: CommandName, key: string): string[] => applied(name).map((payload) => String(payload[key]));

  const overrides = versions.filter(({ origin }) => origin === 'override').map(({ output }) => String(output));
  if (!sameTexts(overrides, texts('override', 'output'))) found.push(`overrides: ${overrides.join()}`);

  const heard = versions.flatMap(
    ({ output }) => ((output as JsonObject)['heard'] as string | null | undefined)?.split('\n\n') ?? [],
  );
  // A revision that was told, and given up for something else, tells the next one again; no version is told twice.
  const givenUp = applied('override').length + applied('reflect').length > 0;
  const known = givenUp ? texts('guide', 'text').filter((text) => heard.includes(text)) : texts('guide', 'text');
  if (!sameTexts(heard, known)) found.push(`guides: ${heard.join()}`);

  const added = applied('extend').reduce((sum, { iterations }) => sum + (iterations as number), 0);
  // The limit of a run that was aborted before its spec was checked is not known.
  const isUnchecked =
    maxIterations === 0 && convergenceReason === 'aborted' && versions.every(({ origin }) => origin === 'override');
  if (!isUnchecked && maxIterations !== firstLimit + added)
    found.push(`the limit is ${maxIterations}, not ${firstLimit} + ${added}`);

  const judgedAgain = versions.some(
    ({ trigger, warnings }) => trigger === 'manual' || warnings.some((warning) => warning.includes('judged again')),
  );
  if (judgedAgain !== applied('reflect').length > 0) found.push(`a version was judged again: ${judgedAgain}`);

  const ends = applied('abort').length > 0 ? 'aborted' : applied('accept').length > 0 ? 'user_accepted' : undefined;
  const byPerson = convergenceReason === 'aborted' || convergenceReason === 'user_accepted';
  if (byPerson ? ends !== convergenceReason : ends !== undefined) found.push(`it ended as ${convergenceReason}`);
  return found;
}

/** What is wrong with a run that has ended, by what was answered to the commands it was sent; nothing is the hope. */
export function violations(ended: Ended): string[] {
  return [...recordViolations(ended.result.history.people, ended.answers), ...effectViolations(ended)];
}
