import { bytesUpTo } from '../../lib/json/json-bytes';
import type { Phase, Progress } from '../contract/results';
import { iterationLimit } from '../limits/budget';
import type { LoopSettings } from '../state/loop-settings';
import { bestSoFar, currentIteration, type LoopState } from '../state/loop-state';
import { describeWait } from '../commands/available';
import { describeParked } from '../commands/open-waits';

export function progressOf(state: LoopState, settings: LoopSettings | undefined, phase: Phase): Progress {
  const best = bestSoFar(state);
  const accepted = state.commands.accept && (state.commands.accept.iteration ?? best?.iteration);
  const waiting = state.stopped ? undefined : (describeParked(state) ?? describeWait(state, settings));
  return {
    phase,
    iteration: currentIteration(state),
    maxIterations: settings ? iterationLimit(settings, state) : 0,
    scores: state.versions.map((version) => version.evaluation.overallScore),
    best: best
      ? { iteration: best.iteration, score: best.evaluation.overallScore, outcome: best.evaluation.outcome }
      : null,
    tokenUsage: state.tokenUsage,
    ...(waiting ? { waitingFor: waiting } : {}),
    ...(accepted === undefined ? {} : { accepted }),
    ...(state.rules && { rules: state.rules }),
    ...(state.stopped ? { convergenceReason: state.stopped.reason } : {}),
  };
}

const REPEATED_BYTES = 4 * 1024;

/** Each answer to a command is in the history, which would grow with the square of the calls. Queries have the arguments. */
export function withoutLongArguments(progress: Progress): Progress {
  const { waitingFor } = progress;
  const waits = waitingFor?.waits?.map(({ arguments: _arguments, ...wait }) => wait);
  if (!waitingFor || !waits || bytesUpTo(waitingFor.waits!, REPEATED_BYTES) < REPEATED_BYTES) return progress;
  return { ...progress, waitingFor: { ...waitingFor, waits } };
}

const DOING: Record<Phase, (iteration: number) => string> = {
  preparing: () => 'checking the spec',
  generating: (iteration) => (iteration === 0 ? 'writing the draft' : `writing version ${iteration + 1}`),
  evaluating: (iteration) => (iteration === 1 ? 'judging the draft' : `judging version ${iteration}`),
  revising: (iteration) => `revising version ${iteration}`,
  waiting: (iteration) => `waiting for a review of version ${iteration}`,
  remembering: () => 'keeping what it learned',
  done: () => 'ending',
};

/** `iteration`: of the latest output; 0 before the draft. */
export function describePhase(phase: Phase, iteration: number, isAsking = false): string {
  if (phase === 'waiting' && isAsking) return 'waiting for the answer of a person';
  return DOING[phase](iteration);
}
