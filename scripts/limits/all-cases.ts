import { fieldCases } from './field-cases';
import type { LimitCase } from './limit-case';
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

/** The cases that are wanted, in the order in which they are run. */
export function allCases(selection: CaseSelection, surroundings: Surroundings): LimitCase[] {
  const { name, kind } = selection;
  const cases = [
    ...volumeCases(),
    ...fieldCases(surroundings),
    ...volumePairs(),
  ];
  const ofKind = kind === undefined ? cases : cases.filter((one) => one.name.startsWith(kind));
  if (name === undefined) return ofKind;
  const exact = ofKind.filter((one) => one.name === name);
  return exact.length > 0 ? exact : ofKind.filter((one) => one.name.includes(name));
}
