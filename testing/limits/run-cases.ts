import type { JsonObject } from '../../src/lib/json/json';
import type { LimitCase, PlayedCase } from './limit-case';
import { playCase } from './play';
import type { Fleet } from './shared-workers';
import { smallestFailing } from './smallest';
import type { LimitsWorld } from './world';

export interface RunOptions {
  /** No case is begun after so many minutes. */
  minutes: number;
  /** Cases side by side. */
  side: number;
  onPlayed: (one: LimitCase, played: PlayedCase) => void;
  /** One that had company and violations: it is run again alone at the end. */
  onSuspect: (played: PlayedCase) => void;
}

/** What one failing spec gets to be made smaller. */
const SMALLER_MS = 120_000;

/** The smallest spec that fails as a generated one did, if it fails again. */
async function smallestOf(one: LimitCase, world: LimitsWorld, fleet: Fleet): Promise<Pick<PlayedCase, 'smallest'>> {
  if (!one.origin) return {};
  const fails = async (argument: JsonObject): Promise<string | undefined> =>
    (await playCase({ ...one, argument }, world, fleet)).violations[0];
  const smallest = await smallestFailing(one.origin, fails, SMALLER_MS);
  return smallest ? { smallest } : {};
}

/** Runs cases, some side by side. Those with violations that had company are run again alone, and that counts. */
export async function runCases(
  cases: readonly LimitCase[],
  world: LimitsWorld,
  fleet: Fleet,
  { minutes: most, side, onPlayed, onSuspect }: RunOptions,
): Promise<{ played: PlayedCase[]; left: number; minutes: number }> {
  const started = performance.now();
  const minutes = (): number => (performance.now() - started) / 60_000;
  const waiting = [...cases];
  const played: PlayedCase[] = [];
  const suspects: LimitCase[] = [];
  let begun = 0;
  let underWay = 0;
  const note = (one: LimitCase, what: PlayedCase): void => {
    played.push(what);
    onPlayed(one, what);
  };
  const work = async (): Promise<void> => {
    while (waiting.length > 0 && minutes() < most) {
      const next = waiting.shift()!;
      const wasAlone = underWay === 0;
      begun += 1;
      underWay += 1;
      const number = begun;
      const what = await playCase(next, world, fleet);
      underWay -= 1;
      // A run that takes its worker down takes others with it, and alone it is seen which one did.
      const isSure = what.violations.length === 0 || (wasAlone && begun === number && !next.origin);
      if (isSure) note(next, what);
      else {
        suspects.push(next);
        onSuspect(what);
      }
    }
  };
  await Promise.all(Array.from({ length: side }, work));
  for (const suspect of suspects) {
    const what = await playCase(suspect, world, fleet);
    note(suspect, what.violations.length === 0 ? what : { ...what, ...(await smallestOf(suspect, world, fleet)) });
  }
  return { played, left: waiting.length, minutes: minutes() };
}
