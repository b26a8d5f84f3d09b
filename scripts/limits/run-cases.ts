import type { LimitCase, PlayedCase } from './limit-case';
import { playCase } from './play';
import type { Fleet } from './shared-workers';
import type { LimitsWorld } from './world';

export interface RunOptions {
  /** No case is begun after so many minutes. */
  minutes: number;
  /** Cases side by side. */
  side: number;
  onPlayed: (one: LimitCase, played: PlayedCase) => void;
}

/** Runs cases, some side by side. Those with violations that had company are run again alone, and that counts. */
export async function runCases(
  cases: readonly LimitCase[],
  world: LimitsWorld,
  fleet: Fleet,
  { minutes: most, side, onPlayed }: RunOptions,
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
      const isSure = what.violations.length === 0 || (wasAlone && begun === number);
      if (isSure) note(next, what);
      else suspects.push(next);
    }
  };
  await Promise.all(Array.from({ length: side }, work));
  for (const suspect of suspects) note(suspect, await playCase(suspect, world, fleet));
  return { played, left: waiting.length, minutes: minutes() };
}
