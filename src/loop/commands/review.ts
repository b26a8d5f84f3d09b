import type { ConvergenceReason } from '../base/convergence';
import { failsGate } from '../versions/ranking';
import { iterationLimit } from '../limits/budget';
import type { LoopSettings, ReviewSettings } from '../state/loop-settings';
import type { LoopState } from '../state/loop-state';

/** The effect of a review on nextMove: none, because none is due; a wait; or an end, because no reviewer answered. */
type ReviewOutcome =
  { kind: 'wait'; reason?: ConvergenceReason } | { kind: 'stop'; reason: ConvergenceReason; unanswered?: true };

function isDue(when: ReviewSettings['when'], ends: boolean, passed: boolean, released: boolean): boolean {
  if (when === 'every_iteration') return ends || !released;
  return ends && passed === (when === 'on_satisfactory');
}

/** Whether a version may be accepted without an answer: not one that failed a gate if there is one that did not. */
export function mayAcceptUnasked({ review, versions }: LoopState): boolean {
  const version = versions.find(({ iteration }) => iteration === review?.version);
  return version === undefined || !failsGate(version) || versions.every(failsGate);
}

/** Undefined if the loop acts as it would without a review. A time budget counts waiting, too. `now`: epoch milliseconds. */
export function reviewOutcome(
  { review: settings }: Pick<LoopSettings, 'review'>,
  state: LoopState,
  own: ConvergenceReason | undefined,
  timeIsOver: boolean,
  now: number,
): ReviewOutcome | undefined {
  const last = state.versions.at(-1);
  if (!settings || !last || timeIsOver) return undefined;
  const { decision } = state.commands;
  const decided = decision?.iteration === last.iteration ? decision.decision : undefined;
  const due = isDue(settings.when, own !== undefined, last.evaluation.satisfactory, decided === 'continue');
  if (decided === 'auto' || !due) return undefined;
  const { review } = state;
  if (!review || review.iteration !== last.iteration || now < review.until) {
    return { kind: 'wait', ...(own === undefined ? {} : { reason: own }) };
  }
  if (settings.onTimeout === 'accept' && mayAcceptUnasked(state)) return { kind: 'stop', reason: 'review_timeout' };
  const reason = own ?? 'stopped';
  return settings.onTimeout === 'fail' ? { kind: 'stop', reason, unanswered: true } : { kind: 'stop', reason };
}

const SPENT = ['token_budget', 'cost_budget', 'call_budget'];

export function limitOfReview(
  state: Pick<LoopState, 'review' | 'extended'>,
  settings: LoopSettings | undefined,
): string | undefined {
  const { review } = state;
  if (!review) return undefined;
  const isFull = settings !== undefined && review.iteration >= iterationLimit(settings, state);
  return isFull ? 'max_iterations' : SPENT.find((reason) => reason === review.reason);
}
