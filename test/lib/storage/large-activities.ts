import { textOf } from './payloads';

/** An output of so many characters, in the form in which our activities return theirs. */
export async function produce(length: number, seed: number) {
  return { output: textOf(length, seed + 1), tokenUsage: { totalTokens: length }, warnings: [] };
}

/** Takes an output as later activities get it, and says how long it was. */
export async function measure({ state }: { state: { reflection_output: string } }): Promise<number> {
  return state.reflection_output.length;
}
