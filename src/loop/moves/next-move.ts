import { iterationLimit, reachedBudget } from '../limits/budget';
import type { ConvergenceReason } from '../base/convergence';
import { rulingOf } from './hooks';
import type { LoopSettings } from '../state/loop-settings';
import type { LoopState, ReflectionVersion } from '../state/loop-state';
import { openWaits } from '../state/parking';
import { reviewOutcome } from '../commands/review';
import type { Corrector, Step } from '../contract/steps';
import type { ReflectionSpec } from '../contract/spec';
import { isModelCall } from '../spec/steps';
import { convergedBecause, RULE_REASONS, type StopRules } from './stop-rules';
import { hasDropped } from './triggers';

type LoopSteps = Pick<ReflectionSpec, 'generator' | 'corrector'>;

interface Situation {
  spec: LoopSteps;
  settings: LoopSettings;
  state: LoopState;
  /** Epoch milliseconds. */
  now: number;
  /** The rules that stop a loop, which may remember their results. Default: `convergedBecause`. */
  stopRules?: StopRules;
}

export type Move =
  | { kind: 'draft' }
  | { kind: 'evaluate' }
  /** The generator runs again: after a hint, or because it is its own corrector. */
  | { kind: 'regenerate' }
  /** The corrector, or the built-in revision on the generator's model, makes the next version. */
  | { kind: 'revise' }
  /** The corrector writes a hint; the generator runs again with it. */
  | { kind: 'hint' }
  /** A person's own output becomes the next version. */
  | { kind: 'override' }
  /** The latest version is judged again: a person requested it, or the score fell, which may be a mistake of the judge. */
  | { kind: 'judge_again'; trigger: 'manual' | 'quality_drop' }
  /** Wait for a person; `reason` is why the loop would end otherwise. */
  | { kind: 'wait'; reason?: ConvergenceReason }
  /** Wait for the answers of a person to a step, which goes on from there. */
  | { kind: 'await_answer' }
  /** `unanswered`: no reviewer answered, and the run fails. */
  | { kind: 'stop'; reason: ConvergenceReason; unanswered?: true };

/** The maximum number of rounds in which one version is evaluated: a judge that could not judge is asked once more. */
export const EVALUATION_ROUNDS = 2;

export function makesVersion({ kind }: Move): boolean {
  return kind === 'draft' || kind === 'regenerate' || kind === 'revise' || kind === 'hint';
}

export function stepOf({ generator, corrector }: LoopSteps, move: Move): Step | undefined {
  if (move.kind === 'revise' || move.kind === 'hint') return corrector ?? generator;
  return move.kind === 'draft' || move.kind === 'regenerate' ? generator : undefined;
}

/** A move that calls no model is still allowed, unless evaluating its result needs a model. */
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

/** A hook or a person with `continue`, guidance, or an extension overrules the stop rules. */
function isAskedToGoOn(settings: LoopSettings, state: LoopState): boolean {
  const extended = (state.versions.at(-1)?.iteration ?? 0) >= settings.maxIterations;
  // The rules let the loop make the version that is under way.
  if (state.parked) return true;
  return rulingOf(state) === 'continue' || extended || (state.guidance?.length ?? 0) > 0;
}

/** The rule of a wait that an earlier run began is kept: the outputs that it compared may not have been passed on. */
function reasonOfWait({ review, carriedThrough }: LoopState, last: ReflectionVersion | undefined) {
  const isTakenOver = review && review.iteration === last?.iteration && last.iteration <= carriedThrough;
  return isTakenOver ? RULE_REASONS.find((reason) => reason === review.reason) : undefined;
}

/** The next call has been answered before, at temperature 0: its reply would change nothing. */
function repetition({ convergence }: LoopSettings, { repeatsAfter }: LoopState, last: ReflectionVersion | undefined) {
  return convergence && last !== undefined && repeatsAfter === last.iteration ? ('stable' as const) : undefined;
}

/** A `continue` of a person or a hook overrules everything but a failure and the limits. */
function ownReason(situation: Situation, move: Move): ConvergenceReason | undefined {
  const { settings, state, stopRules = convergedBecause } = situation;
  const { versions } = state;
  const last = versions.at(-1);
  const ruling = rulingOf(state);
  const goOn = ruling === 'continue';
  if (state.failure) return 'error';
  if (last?.evaluation.satisfactory && !goOn) return 'quality_met';
  const isUnjudged = last?.evaluation.outcome === 'inconclusive' && !goOn;
  // The limit of iterations comes before the reasons below, which are all about the same last version. A version that was not
  // judged has not failed.
  const isAtLimit = last && last.iteration >= iterationLimit(settings, state);
  if (isAtLimit && !isUnjudged) return 'max_iterations';
  if (ruling === 'stop') return 'stopped';
  const pointless = isAskedToGoOn(settings, state)
    ? undefined
    : (reasonOfWait(state, last) ?? repetition(settings, state, last) ?? stopRules(versions, settings));
  return pointless ?? unaffordable(situation, move) ?? (isUnjudged ? 'blocked' : undefined);
}

/** The reason if a person has ended the loop. An `accept` that arrived before the draft takes effect with it. */
function reasonOfPerson(state: LoopState): 'aborted' | 'user_accepted' | undefined {
  const { commands } = state;
  if (commands.abort) return 'aborted';
  return commands.accept && (state.versions.length > 0 || state.pending) ? 'user_accepted' : undefined;
}

/** Only a full history ends a loop without this function. */
export function nextMove(situation: Situation): Move {
  const { spec, settings, state, now } = situation;
  const { commands, versions } = state;
  if (state.stopped) return { kind: 'stop', reason: state.stopped.reason };
  const asked = reasonOfPerson(state);
  if (asked) return { kind: 'stop', reason: asked };
  if (commands.overrides) return { kind: 'override' };
  if (state.pending) return { kind: 'evaluate' };
  if (commands.reflect && versions.length > 0) return { kind: 'judge_again', trigger: 'manual' };
  // Not after a hint, which was made from that judgement.
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
  if (review) return review;
  if (own) return { kind: 'stop', reason: own };
  return openWaits(state).length > 0 && now < (state.parked?.until ?? 0) ? { kind: 'await_answer' } : move;
}

/** Whether a move makes the result of a call that is under way useless. */
export function endsCall(move: Move): boolean {
  return move.kind === 'stop' || move.kind === 'override' || move.kind === 'judge_again';
}
