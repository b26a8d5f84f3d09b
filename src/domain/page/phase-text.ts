import type { Phase } from './progress';

const DOING: Record<Phase, (iteration: number) => string> = {
  preparing: () => 'checking the spec',
  generating: (iteration) => (iteration === 0 ? 'writing the draft' : `writing version ${iteration + 1}`),
  evaluating: (iteration) => (iteration === 1 ? 'judging the draft' : `judging version ${iteration}`),
  revising: (iteration) => `revising version ${iteration}`,
  waiting: (iteration) => `waiting for a review of version ${iteration}`,
  remembering: () => 'keeping what it learned',
  done: () => 'ending',
};

/** What a run is doing, for people. @param iteration of the latest output; 0 before the draft */
export function describePhase(phase: Phase, iteration: number): string {
  return DOING[phase](iteration);
}
