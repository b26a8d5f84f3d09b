import type { Outcome } from '../state/evaluation';
import { iterationLimit } from '../limits/limits';
import type { LoopSettings } from '../state/loop-settings';
import { bestSoFar, currentIteration, type LoopState } from '../state/loop-state';
import { type WaitingFor, waitingFor } from '../commands/available';
import type { TokenUsage } from '../base/tokens';

/** What the loop is doing. */
export type Phase = 'preparing' | 'generating' | 'evaluating' | 'revising' | 'waiting' | 'remembering' | 'done';

/** Where a run stands: the answer to the `progress` query and to every update. */
export interface Progress {
  phase: Phase;
  /** Number of the latest output; 0 before the draft. Commands that name an iteration name this one. */
  iteration: number;
  maxIterations: number;
  scores: (number | null)[];
  best: { iteration: number; score: number | null; outcome: Outcome } | null;
  tokenUsage: TokenUsage;
  /** Present while the run waits for a person. */
  waitingFor?: WaitingFor;
}

/** Where a run stands. */
export function progressOf(state: LoopState, settings: LoopSettings | undefined, phase: Phase): Progress {
  const best = bestSoFar(state);
  const waiting = state.stopped ? undefined : waitingFor(state, settings);
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
  };
}
