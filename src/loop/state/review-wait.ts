import type { ConvergenceReason } from '../base/convergence';
import { omitUndefined } from '../../lib/base/defined';
import type { LoopSettings } from './loop-settings';
import { bestSoFar, type LoopState } from './loop-state';
import type { WaitRecord } from './parked-step';
import { openWaits } from './parking';

/** The latest, if it passed or a person requested a change after the best was judged; otherwise the best. */
function versionToReview(state: LoopState): number {
  const last = state.versions.at(-1)!;
  const best = bestSoFar(state) ?? last;
  const isLatest = last.evaluation.satisfactory || (state.steeredAfter ?? 0) >= best.iteration;
  return isLatest ? last.iteration : best.iteration;
}

/** @param now epoch milliseconds */
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
  // Fixed when the wait begins: a person decides about the version that they were shown.
  const version = before ? before.version : versionToReview(state);
  const notice = before?.notice;
  forgetDecision(state);
  state.review = omitUndefined({ iteration, version, until, reason, notice });
}

/** The wait for a person that a loop is in: for answers to a parked step, or for a review. */
export function presentWait(state: LoopState): { until: number; notice?: WaitRecord } | undefined {
  return openWaits(state).length > 0 ? state.parked : state.review;
}

export function beginNotice(state: LoopState, begun: Pick<WaitRecord, 'since' | 'number'>): void {
  const wait = presentWait(state);
  if (wait) wait.notice ??= begun;
}

/** Notes a notification of the present wait, so that none is sent twice. */
export function noteNotified(
  state: LoopState,
  { since, number }: WaitRecord,
  what: 'began' | 'reminder' | 'hook',
): void {
  const wait = presentWait(state);
  const { notice } = wait ?? {};
  if (wait && notice?.since === since && notice.number === number) wait.notice = { ...notice, [what]: true };
}

export function forgetDecision(state: LoopState): void {
  delete state.decided;
  delete state.guidedFrom;
}

export function leaveReview(state: LoopState): void {
  delete state.review;
}
