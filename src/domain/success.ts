import { bestSoFar, type LoopState } from './loop-state';
import type { ReflectionVersion } from './version';

/** The passing version that a loop which was told to stop hands back; undefined when none passed. */
export function passingVersion(state: LoopState): ReflectionVersion | undefined {
  const best = bestSoFar(state);
  return best?.evaluation.satisfactory ? best : state.versions.findLast(({ evaluation }) => evaluation.satisfactory);
}

/** Whether a loop that stopped got what it was for. */
export function hasSucceeded(state: LoopState): boolean {
  switch (state.stopped?.reason) {
    case 'quality_met':
    case 'user_accepted':
      return true;
    case 'stopped':
      return passingVersion(state) !== undefined;
    default:
      return false;
  }
}
