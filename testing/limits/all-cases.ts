import { crashCases } from './crash-cases';
import { fieldCases, fieldPairs } from './field-cases';
import { generatedCases } from './generated-cases';
import type { LimitCase } from './limit-case';
import { MESSAGE_CASES } from './message-cases';
import { OTHER_VOLUMES } from './other-volumes';
import type { Surroundings } from './vocabulary';
import { volumeCases, volumePairs } from './volume-cases';

/** Which cases are wanted. */
export interface CaseSelection {
  short: boolean;
  seed: number;
  /** Pairs of fields. */
  pairs: number;
  /** Generated specs. */
  generated: number;
  name?: string;
  kind?: string;
}

/** The form for CI: what was found to break something, and is over soon. */
export const SHORT: ReadonlySet<string> = new Set([
  'volume outputs of 1.85 MB',
  'volume waiting with a hint, outputs of 1.1 MB',
  'volume 100 patterns of 500 characters with messages of 4,000',
  'volume 40 evaluators with 50 issues of 3 KB',
  'volume 100 evaluators with the longest names',
  'volume a judge with a suggestion of 1.9 MB',
  'volume 500 parts',
  'volume three checks from elsewhere of outputs of 1.5 MB',
  'volume 30 iterations of 1 MB',
  'volume plan of 80 tasks with a state of 60 KB',
  'volume plan of 5 tasks after one of 1 MB',
  'volume pipeline with 5 judges of outputs of 1 MB',
  'volume evaluation by 100 judges with 50 issues of 3 KB',
  'volume inside ten loops of 1 MB',
  'volume population of 300 with 9 critics in batches of 300',
  'volume unknown keys of 1.7 MB',
  'message 10,000 stale decisions before a worker is there',
]);

/** How the cases of a kind are made, by the first word of their names, in the order in which they are run. */
const KINDS: Record<string, (selection: CaseSelection, surroundings: Surroundings) => readonly LimitCase[]> = {
  volume: () => [...volumeCases(), ...OTHER_VOLUMES],
  message: () => MESSAGE_CASES,
  crash: crashCases,
  generated: ({ generated, seed }, surroundings) => generatedCases(generated, seed, surroundings),
  field: (_selection, surroundings) => fieldCases(surroundings),
  pair: ({ pairs, seed }, surroundings) => [...fieldPairs(pairs, seed, surroundings), ...volumePairs()],
};

/** The cases that are wanted, in the order in which they are run. */
export function allCases(selection: CaseSelection, surroundings: Surroundings): LimitCase[] {
  const { name, kind = '', short } = selection;
  const isWanted = (one: string): boolean => one.startsWith(kind) && (!short || SHORT.has(one));
  const firstWords = new Set([...SHORT].map((one) => one.split(' ')[0]!));
  // A kind that nobody wants is not made: the values of fields are of megabytes.
  const kinds = Object.entries(KINDS).filter(
    ([word]) => (word.startsWith(kind) || kind.startsWith(word)) && (!short || firstWords.has(word)),
  );
  const ofKind = kinds.flatMap(([, make]) => make(selection, surroundings)).filter((one) => isWanted(one.name));
  if (name === undefined) return ofKind;
  const exact = ofKind.filter((one) => one.name === name);
  return exact.length > 0 ? exact : ofKind.filter((one) => one.name.includes(name));
}
