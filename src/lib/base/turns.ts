/** Turns of a loop of workflow code that may follow each other without progress. Each takes microseconds. */
export const MOST_IDLE_TURNS = 100;

/** The identity of a state, part by part: two equal marks mean that nothing was done in between. */
export type TurnMark = readonly unknown[];

/** The mark of the latest turn, and how many turns before it had the same one. */
export interface Turns {
  mark: TurnMark;
  idle: number;
}

export function countTurn(turns: Turns | undefined, mark: TurnMark): Turns {
  const before = turns?.mark;
  const isSame = before?.length === mark.length && before.every((part, index) => Object.is(part, mark[index]));
  return { mark, idle: turns && isSame ? turns.idle + 1 : 0 };
}
