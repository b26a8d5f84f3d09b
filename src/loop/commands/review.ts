import type { ConvergenceReason } from '../base/convergence';
import { decidesBy } from '../base/rules';
import { omitUndefined } from '../../lib/base/defined';
import { failsGate } from '../versions/ranking';
import { iterationLimit } from '../limits/limits';
import type { LoopSettings, ReviewSettings } from '../state/loop-settings';
import { bestSoFar, type LoopState } from '../state/loop-state';

/** The effect of a review on nextMove: none, because none is due; a wait; or an end, because no reviewer answered. */
type ReviewOutcome =
  { kind: 'wait'; reason?: ConvergenceReason } | { kind: 'stop'; reason: ConvergenceReason; unanswered?: true };

function isDue(when: ReviewSettings['when'], ends: boolean, passed: boolean, released: boolean): boolean {
  if (when === 'every_iteration') return ends || !released;
  return ends && passed === (when === 'on_satisfactory');
}

/**
 * Returns the version that a person decides about. It is the latest, if it passed, or if a person requested a change after
 * the best one was judged: a user who guides or overrides wants to see the version that resulted. Otherwise it is the best.
 */
function versionToReview(state: LoopState): number {
  const last = state.versions.at(-1)!;
  const best = bestSoFar(state) ?? last;
  const isLatest = last.evaluation.satisfactory || (state.steeredAfter ?? 0) >= best.iteration;
  return isLatest ? last.iteration : best.iteration;
}

/** Returns whether a version may be accepted without an answer: not one that failed a gate if there is one that did not. */
export function mayAcceptUnasked({ review, versions, rules }: LoopState): boolean {
  if (!decidesBy(rules, 2)) return true;
  const version = versions.find(({ iteration }) => iteration === review?.version);
  return version === undefined || !failsGate(version) || versions.every(failsGate);
}

/**
 * Returns the effect of the review of the latest version on the next move; undefined if the loop acts as it would without a
 * review. A time budget ends a review, too: it counts waiting.
 *
 * @param own why the loop would end by itself; undefined if it would go on
 * @param now epoch milliseconds
 */
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

/**
 * Begins to wait for the review of the latest version, or goes on waiting: the time at which the wait began counts.
 *
 * @param now epoch milliseconds
 */
export function beginReview(
  state: LoopState,
  settings: LoopSettings,
  reason: ConvergenceReason | undefined,
  now: number,
): void {
  const iteration = state.versions.at(-1)?.iteration ?? 0;
  const { wallClockMs } = settings.budget ?? {};
  const timeout = now + (settings.review?.timeoutMs ?? 0);
  const before = state.review?.iteration === iteration ? state.review : undefined;
  const until =
    before?.until ?? Math.min(timeout, wallClockMs === undefined ? Infinity : state.startedAt + wallClockMs);
  // Fixed when the wait begins: what a person was shown is what they decide about.
  const isFixed = before !== undefined || !decidesBy(state.rules, 2);
  const version = isFixed ? before?.version : versionToReview(state);
  forgetDecision(state);
  state.review = omitUndefined({ iteration, version, until, reason });
}

/** Forgets who decided the last wait: the decision is carried out, or another one is requested. */
export function forgetDecision(state: LoopState): void {
  delete state.decided;
  delete state.guidedFrom;
}

/** Ends the wait for a review: the loop does something else. */
export function leaveReview(state: LoopState): void {
  delete state.review;
}

const SPENT = ['token_budget', 'cost_budget', 'call_budget'];

/** Returns the limit at which a loop waits. No decision of a person lets it go on before the limit is extended. */
export function limitOfReview(
  state: Pick<LoopState, 'review' | 'extended'>,
  settings: LoopSettings | undefined,
): string | undefined {
  const { review } = state;
  if (!review) return undefined;
  const isFull = settings !== undefined && review.iteration >= iterationLimit(settings, state);
  return isFull ? 'max_iterations' : SPENT.find((reason) => reason === review.reason);
}
