/** Takes the processor without a pause, in one activation. */
export async function busy(turns: number): Promise<number> {
  return spin(turns);
}

/** @returns what keeps the loop from being left out */
export function spin(turns: number): number {
  let sum = 0;
  for (let turn = 0; turn < turns; turn += 1) sum = (sum * 31 + turn) % 1_000_003;
  return sum;
}
