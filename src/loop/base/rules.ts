/**
 * The changes of what runs decide or do, the oldest first, with the date from which new runs follow them. A later release adds
 * a name here, and guards what it changes: `follows(state.rules, 'name') ? newWay : oldWay`.
 */
export const SINCE = { '0.3.0': '2026-11-28' } as const;

/** The latest change that a run follows; it follows all before it, too. */
export type Rules = keyof typeof SINCE;

export const RULES = Object.keys(SINCE) as Rules[];

export const LATEST_RULES = RULES.at(-1)!;

/** The id of the patch by which the history of a run records its rules: the mark of the rules. */
export function rulesMark(name: Rules): string {
  return `rules-${name}`;
}

/**
 * The part of the state of every run that records its rules. A run keeps to them to its end, and so do the later runs of its
 * chain.
 */
export interface Ruled {
  rules?: Rules;
}

/** Whether a run follows a change. One that does not know its rules yet follows none. */
export function follows(rules: Rules | undefined, name: Rules): boolean {
  return rules !== undefined && RULES.indexOf(rules) >= RULES.indexOf(name);
}

/** The number of the latest versions that decisions look back on, so that a decision costs the same in a run of any length. */
export const DECISION_WINDOW = 20;
