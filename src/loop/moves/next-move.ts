import { reachedBudget } from '../limits/budget';
import type { ConvergenceReason } from '../base/convergence';
import { rulingOf } from './hooks';
import { iterationLimit } from '../limits/limits';
import type { LoopSettings } from '../state/loop-settings';
import type { LoopState, ReflectionVersion } from '../state/loop-state';
import { reviewOutcome } from '../commands/review';
import type { Corrector, Step } from '../contract/steps';
import type { ReflectionSpec } from '../contract/spec';
import { isModelCall } from '../spec/steps';
import { convergedBecause, RULE_REASONS, type StopRules } from './stop-rules';
import { hasDropped } from './triggers';

type LoopSteps = Pick<ReflectionSpec, 'generator' | 'corrector'>;

/** Everything that decides the next move of a loop. */
export interface Situation {
  spec: LoopSteps;
  settings: LoopSettings;
  state: LoopState;
  /** Epoch milliseconds. */
  now: number;
  /** The rules that stop a loop, which may remember their results. Default: `convergedBecause`. */
  stopRules?: StopRules;
}

/** The next action of a loop. */
export type Move =
  | { kind: 'draft' }
  | { kind: 'evaluate' }
  /** The generator runs again: after a hint, or because it is its own corrector. */
  | { kind: 'regenerate' }
  /** The corrector, or the built-in revision on the generator's model, makes the next version. */
  | { kind: 'revise' }
  /** The corrector says what to try; the generator runs again with it. */
  | { kind: 'hint' }
  /** A person's own output becomes the next version. */
  | { kind: 'override' }
  /** A person wants the latest version judged again; or its score fell, and it is to be made sure of. */
  | { kind: 'judge_again'; trigger: 'manual' | 'quality_drop' }
  /** Wait for a person; `reason` is why the loop would end otherwise. */
  | { kind: 'wait'; reason?: ConvergenceReason }
  /** `unanswered`: no reviewer answered, and the run fails. */
  | { kind: 'stop'; reason: ConvergenceReason; unanswered?: true };

/** Rounds of evaluation of one version at most: a judge that could not judge is asked once more. */
export const EVALUATION_ROUNDS = 2;

/** Returns whether a move begins another version. */
export function makesVersion({ kind }: Move): boolean {
  return kind === 'draft' || kind === 'regenerate' || kind === 'revise' || kind === 'hint';
}

/** Returns the step that a move runs; undefined for those that run none. */
export function stepOf({ generator, corrector }: LoopSteps, move: Move): Step | undefined {
  if (move.kind === 'revise' || move.kind === 'hint') return corrector ?? generator;
  return move.kind === 'draft' || move.kind === 'regenerate' ? generator : undefined;
}

/**
 * Returns the limit that keeps a move from being made. A move that calls no model may be made without tokens or calls, unless
 * that is of no use, because the version could not be judged.
 */
function unaffordable({ spec, settings, state, now }: Situation, move: Move): ConvergenceReason | undefined {
  const reached = reachedBudget(settings.budget, state, now);
  if (!reached || reached === 'time_budget') return reached;
  const last = state.versions.at(-1);
  const step = stepOf(spec, move);
  const needsModel = step !== undefined && isModelCall(step);
  const needsJudge =
    last !== undefined && (last.tokenUsage.modelCalls > 0 || last.evaluation.outcome === 'inconclusive');
  return needsModel || needsJudge ? reached : undefined;
}

function correction(corrector: Corrector | undefined, generator: Step, hinted: boolean): Move {
  if (corrector?.mode === 'hint') return { kind: hinted ? 'regenerate' : 'hint' };
  if (corrector || isModelCall(generator)) return { kind: 'revise' };
  return { kind: 'regenerate' };
}

/**
 * Returns whether a person or a hook overrules the rules for when going on is pointless: a user who guides or extends wants
 * more versions.
 */
function isAskedToGoOn(settings: LoopSettings, state: LoopState): boolean {
  const extended = (state.versions.at(-1)?.iteration ?? 0) >= settings.maxIterations;
  return rulingOf(state) === 'continue' || extended || (state.guidance?.length ?? 0) > 0;
}

/**
 * Returns the rule that made the loop wait, in a run that took the wait over: outputs that the rule compared may not have
 * been passed on.
 */
function reasonOfWait({ review, carriedThrough }: LoopState, last: ReflectionVersion | undefined) {
  const isTakenOver = review && review.iteration === last?.iteration && last.iteration <= carriedThrough;
  return isTakenOver ? RULE_REASONS.find((reason) => reason === review.reason) : undefined;
}

/**
 * Returns a reason to stop if the next call would be one that was answered before, at temperature 0, so that nothing would
 * change any more.
 */
function repetition({ convergence }: LoopSettings, { repeatsAfter }: LoopState, last: ReflectionVersion | undefined) {
  return convergence && last !== undefined && repeatsAfter === last.iteration ? ('stable' as const) : undefined;
}

/**
 * Returns why the loop would end now by its own rules; undefined if it would go on with the move. A `continue` of a person or
 * a hook overrules all but the limits.
 */
function ownReason(situation: Situation, move: Move): ConvergenceReason | undefined {
  const { settings, state, stopRules = convergedBecause } = situation;
  const { versions } = state;
  const last = versions.at(-1);
  const ruling = rulingOf(state);
  const goOn = ruling === 'continue';
  if (state.failure) return 'error';
  if (last?.evaluation.satisfactory && !goOn) return 'quality_met';
  // The circuit breaker wins ties: every other reason is read from the same last version.
  if (last && last.iteration >= iterationLimit(settings, state)) return 'max_iterations';
  if (ruling === 'stop') return 'stopped';
  const pointless = isAskedToGoOn(settings, state)
    ? undefined
    : (reasonOfWait(state, last) ?? repetition(settings, state, last) ?? stopRules(versions, settings, state.rules));
  const blocked: ConvergenceReason | undefined =
    last?.evaluation.outcome === 'inconclusive' && !goOn ? 'blocked' : undefined;
  return pointless ?? unaffordable(situation, move) ?? blocked;
}

/** Returns why a person ends the loop now; undefined if none does. An `accept` that arrived as a signal waits for the draft. */
function reasonOfPerson(state: LoopState): 'aborted' | 'user_accepted' | undefined {
  const { commands } = state;
  if (commands.abort) return 'aborted';
  return commands.accept && (state.versions.length > 0 || state.pending) ? 'user_accepted' : undefined;
}

/**
 * Decides the next move of a loop. Only a full history ends a loop without it. Pure: the same state at the same time gives the same move.
 */
export function nextMove(situation: Situation): Move {
  const { spec, settings, state, now } = situation;
  const { commands, versions } = state;
  if (state.stopped) return { kind: 'stop', reason: state.stopped.reason };
  const asked = reasonOfPerson(state);
  if (asked) return { kind: 'stop', reason: asked };
  if (commands.overrides) return { kind: 'override' };
  if (state.pending) return { kind: 'evaluate' };
  if (commands.reflect && versions.length > 0) return { kind: 'judge_again', trigger: 'manual' };
  // Not after a hint: that was made of the judgement.
  const mayDoubt = !state.hint && !state.failure && !reachedBudget(settings.budget, state, now);
  if (mayDoubt && hasDropped(settings, versions)) return { kind: 'judge_again', trigger: 'quality_drop' };
  const last = versions.at(-1);
  if (commands.decision?.decision === 'stop' && commands.decision.iteration === last?.iteration) {
    return { kind: 'stop', reason: 'stopped' };
  }
  const move: Move = last ? correction(spec.corrector, spec.generator, state.hint !== undefined) : { kind: 'draft' };
  const own = ownReason(situation, move);
  const timeIsOver = reachedBudget(settings.budget, state, now) === 'time_budget';
  const review = reviewOutcome(settings, state, own, timeIsOver, now);
  return review ?? (own ? { kind: 'stop', reason: own } : move);
}

/** Returns whether a call under way is of no use any more if the next move is this one. */
export function endsCall(move: Move): boolean {
  return move.kind === 'stop' || move.kind === 'override' || move.kind === 'judge_again';
}
