import type { LoopState } from './loop-state';

/** The values of the search attribute `ReflectionStatus`. */
export type RunStatus = 'running' | 'succeeded' | 'exhausted' | 'aborted' | 'failed';

/** What the run list says of a run. */
export function runStatus(state: LoopState): RunStatus {
  switch (state.stopped?.reason) {
    case undefined:
      return 'running';
    case 'quality_met':
    case 'user_accepted':
      return 'succeeded';
    case 'aborted':
      return 'aborted';
    case 'error':
      return 'failed';
    default:
      return 'exhausted';
  }
}
