import type { Json } from '../../lib/json/json';
import type { Extensions, LoopState, PendingCommands, SettledReview } from './loop-state';

export function askToAbort(state: LoopState): void {
  state.commands.abort = true;
  if (state.stopped) state.stopped.keeping = false;
}

export function askToAccept(state: LoopState, iteration: number | undefined): void {
  state.commands.accept = iteration === undefined ? {} : { iteration };
}

export function askToJudge(state: LoopState): void {
  state.commands.reflect = true;
}

/** Adds the guidance of a reviewer. Guidance that arrives while the loop waits for it lets the loop go on. */
export function addGuidance(state: LoopState, text: string): void {
  state.guidance = [...(state.guidance ?? []), text];
  if (!state.review) return;
  state.commands.decision = { iteration: state.review.iteration, decision: 'continue' };
  delete state.failure;
}

export function addOverride({ commands }: LoopState, output: Json): void {
  commands.overrides = [...(commands.overrides ?? []), output];
}

/** Raises the limits of the loop. The limit for which the loop waits may no longer be reached, so the loop checks again. */
export function raiseLimits(state: LoopState, extended: Extensions): void {
  state.extended = extended;
  delete state.review?.reason;
}

export function setDecision(state: LoopState, decision: NonNullable<PendingCommands['decision']>): void {
  state.commands.decision = decision;
  if (decision.decision === 'continue') delete state.failure;
}

/** Notes that a user requested another output than that of the latest version. */
export function noteSteering(state: LoopState): void {
  state.steeredAfter = state.versions.at(-1)?.iteration ?? 0;
}

/** Notes the decision that ends a wait. The next version is made from the reviewed one if the loop goes on. */
export function settleReview(state: LoopState, decided: SettledReview): void {
  if (decided.goesOn) state.guidedFrom = decided.version;
  state.decided = decided;
}

const REMEMBERED_IDS = 1000;

export function rememberCommand({ seenCommandIds: ids }: LoopState, id: Json | undefined): void {
  if (typeof id !== 'string') return;
  ids.push(id);
  if (ids.length > REMEMBERED_IDS) ids.shift();
}
