import type { Issue, ReflectionEvaluation } from '../contract/evaluation';
import { OURS, SCORE_TYPE } from './evaluation';
import type { ConvergenceSettings, LoopSettings } from './loop-settings';
import { openWaits } from './parking';
import { type LoopState, bestSoFar, type ReflectionVersion } from './loop-state';

/** The best version if it passed, else the latest that did: a loop may go on after a pass, or be stopped. */
export function passingVersion(state: LoopState): ReflectionVersion | undefined {
  const best = bestSoFar(state);
  return best?.evaluation.satisfactory ? best : state.versions.findLast(({ evaluation }) => evaluation.satisfactory);
}

/** Whether a loop that stopped succeeded: a version passed, or a person (or silence, where it may) accepted one. */
export function hasSucceeded(state: LoopState): boolean {
  const { stopped } = state;
  if (!stopped || stopped.unanswered || stopped.reason === 'aborted') return false;
  if (stopped.reason === 'user_accepted' || stopped.reason === 'review_timeout') return true;
  return passingVersion(state) !== undefined;
}

/** The values of the search attribute `ReflectionStatus`. */
export type RunStatus = 'running' | 'waiting' | 'succeeded' | 'exhausted' | 'aborted' | 'failed';

export function runStatus(state: LoopState): RunStatus {
  const { stopped } = state;
  if (!stopped) return state.review || openWaits(state).length > 0 ? 'waiting' : 'running';
  if (stopped.reason === 'aborted') return 'aborted';
  if (stopped.unanswered) return 'failed';
  if (hasSucceeded(state)) return 'succeeded';
  return stopped.reason === 'error' ? 'failed' : 'exhausted';
}

/** An evaluator that failed without a minor issue has another reason; issues that were left out may be of any severity. */
export function isSettled(
  { outcome, issues, evaluators }: ReflectionEvaluation,
  convergence: Pick<ConvergenceSettings, 'endsWith'> | undefined,
): boolean {
  if (convergence?.endsWith !== 'minor' || outcome !== 'fail' || issues.length === 0) return false;
  const isStatedMinor = ({ severity, type, evaluator }: Issue): boolean =>
    severity === 'minor' && type !== SCORE_TYPE && evaluator !== OURS;
  if (!issues.every(isStatedMinor)) return false;
  return evaluators.every((each) => each.outcome !== 'fail' || issues.some(({ evaluator }) => evaluator === each.name));
}

/** Whether a stopped loop ended because its last version had nothing but minor issues. */
export function hasSettled(
  { stopped, versions }: Pick<LoopState, 'stopped' | 'versions'>,
  { convergence }: Pick<LoopSettings, 'convergence'>,
): boolean {
  const last = versions.at(-1);
  return stopped?.reason === 'plateau' && last !== undefined && isSettled(last.evaluation, convergence);
}
