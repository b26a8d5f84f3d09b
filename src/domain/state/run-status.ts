import type { LoopState } from './loop-state';
import { hasSucceeded } from './success';

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
