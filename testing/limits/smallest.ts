import * as fc from 'fast-check';
import type { JsonObject } from '../../src/lib/json/json';

/** Where a generated spec comes from. */
export interface Origin {
  arbitrary: fc.Arbitrary<JsonObject>;
  seed: number;
  /** Its place among those of the seed, from 0. */
  index: number;
}

/** The smallest spec that fails as a generated one did. */
export interface Smallest {
  spec: JsonObject;
  /** What fast-check calls it: with the seed, the same spec again. */
  path: string;
  /** Why it fails. */
  why: string;
}

/**
 * Makes a generated spec that fails smaller, as long as it fails.
 *
 * @param fails why a spec fails; undefined: it does not
 * @param milliseconds after which the smallest so far counts
 * @returns undefined when it does not fail again
 */
export async function smallestFailing(
  { arbitrary, seed, index }: Origin,
  fails: (spec: JsonObject) => Promise<string | undefined>,
  milliseconds: number,
): Promise<Smallest | undefined> {
  let why = '';
  const property = fc.asyncProperty(arbitrary, async (spec) => {
    const found = await fails(spec);
    if (found === undefined) return;
    why = found;
    throw new Error(found);
  });
  const until = { interruptAfterTimeLimit: milliseconds, markInterruptAsFailure: false };
  // Only this one: those after it have cases of their own.
  const { counterexample, counterexamplePath } = await fc.check(property, {
    seed,
    path: String(index),
    numRuns: index + 1,
    ...until,
  });
  return counterexample === null ? undefined : { spec: counterexample[0], path: counterexamplePath ?? '', why };
}
