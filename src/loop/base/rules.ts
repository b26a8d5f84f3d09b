/** The number of the rules by which a run decides. Undefined: those of 0.1.0, which had no number. */
export type Rules = number | undefined;

/** The rules that new runs follow. A release that changes decisions of runs raises it. */
export const LATEST_RULES = 4;

const FIRST_RULES = 2;

export const RULES: readonly number[] = Array.from(
  { length: LATEST_RULES - FIRST_RULES + 1 },
  (_, index) => LATEST_RULES - index,
);

/** Returns the id of the patch by which the history of a run records its rules: the mark of the rules. */
export function rulesMark(number: number): string {
  return `rules-${number}`;
}

/** The rules of a run, which it keeps to its end, as do the later runs of its chain. */
export interface Ruled {
  rules?: number;
}

/** The number of the latest versions that decisions look back on, so that a decision costs the same in a run of any length. */
export const DECISION_WINDOW = 20;

/** Returns whether a run decides by the rules of this number, or by later ones. */
export function decidesBy(rules: Rules, number: number): boolean {
  return rules !== undefined && rules >= number;
}

export function pickRules({ rules }: Ruled = {}): Ruled {
  return rules === undefined ? {} : { rules };
}
