import { type LoopState, bestSoFar, type ReflectionVersion } from './loop-state';

/**
 * The passing version that a loop hands back which went on past a pass, or was told to stop: the best if it passed, else the
 * latest that did; undefined when none passed.
 */
export function passingVersion(state: LoopState): ReflectionVersion | undefined {
  const best = bestSoFar(state);
  return best?.evaluation.satisfactory ? best : state.versions.findLast(({ evaluation }) => evaluation.satisfactory);
}

/** Whether a loop that stopped got what it was for: a version passed, or a person (or silence, where it may) accepted one. */
export function hasSucceeded(state: LoopState): boolean {
  const { stopped } = state;
  if (!stopped || stopped.unanswered || stopped.reason === 'aborted') return false;
  if (stopped.reason === 'user_accepted' || stopped.reason === 'review_timeout') return true;
  return passingVersion(state) !== undefined;
}

/** The values of the search attribute `ReflectionStatus`. */
export type RunStatus = 'running' | 'waiting' | 'succeeded' | 'exhausted' | 'aborted' | 'failed';

/** What the run list says of a run. */
export function runStatus(state: LoopState): RunStatus {
  const { stopped } = state;
  if (!stopped) return state.review ? 'waiting' : 'running';
  if (stopped.reason === 'aborted') return 'aborted';
  if (stopped.unanswered) return 'failed';
  if (hasSucceeded(state)) return 'succeeded';
  return stopped.reason === 'error' ? 'failed' : 'exhausted';
}
