import type { LoopState } from './loop-state';
import { hasSucceeded } from './success';

/** The values of the search attribute `ReflectionStatus`. */
export type RunStatus = 'running' | 'succeeded' | 'exhausted' | 'aborted' | 'failed';

/** What the run list says of a run. */
export function runStatus(state: LoopState): RunStatus {
  switch (state.stopped?.reason) {
    case undefined:
      return 'running';
    case 'aborted':
      return 'aborted';
    case 'error':
      return 'failed';
    default:
      return hasSucceeded(state) ? 'succeeded' : 'exhausted';
  }
}
