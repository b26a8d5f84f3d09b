/** Milliseconds of one turn of the event loop that all checks have together. More is done in threads. */
const TURN_MS = 30;

let leftMs = TURN_MS;
let isTurning = false;

/** Returns the milliseconds that checks may still take in this turn. */
export function leftOfTurn(): number {
  return leftMs;
}

export function spendTurnTime(milliseconds: number): void {
  leftMs -= milliseconds;
  if (isTurning) return;
  isTurning = true;
  setImmediate(() => {
    leftMs = TURN_MS;
    isTurning = false;
  });
}
