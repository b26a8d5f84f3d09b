import { reachedBudget } from './budget';
import type { ConvergenceReason } from './convergence';
import { rulingOf } from './hooks';
import type { LoopSettings } from './loop-settings';
import type { LoopState } from './loop-state';
import type { Corrector, ModelCallStep, ReflectionSpec, Step } from './spec';

/** What a loop does next. */
export type Move =
  | { kind: 'draft' }
  | { kind: 'evaluate' }
  /** The generator runs again: after a hint, or because it is its own corrector. */
  | { kind: 'regenerate' }
  /** The corrector, or the built-in revision on the generator's model, makes the next version. */
  | { kind: 'revise' }
  /** The corrector says what to try; the generator runs again with it. */
  | { kind: 'hint' }
  | { kind: 'stop'; reason: ConvergenceReason };

/** Rounds of evaluation of one version at most: a judge that could not judge is asked once more. */
export const EVALUATION_ROUNDS = 2;

/** True when a step is a model call. */
export function isModelCall(step: Step): step is ModelCallStep {
  return 'action' in step && step.action === 'llm.call';
}

/** The model call that the built-in revision prompt is sent with; undefined where a corrector says itself what to do. */
export function builtInReviser(spec: Pick<ReflectionSpec, 'generator' | 'corrector'>): Step | undefined {
  const { generator, corrector } = spec;
  if (!corrector) return isModelCall(generator) ? generator : undefined;
  if (!isModelCall(corrector) || corrector.mode === 'hint') return undefined;
  // A corrector that only names another model: the built-in prompt on that model.
  if ('prompt' in corrector || 'messages' in corrector) return undefined;
  return isModelCall(generator) ? { ...generator, ...corrector } : corrector;
}

function stopReason(state: LoopState, settings: LoopSettings): ConvergenceReason | undefined {
  const last = state.versions.at(-1);
  if (!last) return undefined;
  const ruling = rulingOf(state);
  if (last.evaluation.satisfactory && ruling !== 'continue') return 'quality_met';
  // The circuit breaker wins ties: every other reason is read from the same last version.
  if (last.iteration >= settings.maxIterations) return 'max_iterations';
  return ruling === 'stop' ? 'stopped' : undefined;
}

/** The step that a move runs; undefined for those that run none. */
export function stepOf(
  { generator, corrector }: Pick<ReflectionSpec, 'generator' | 'corrector'>,
  move: Move,
): Step | undefined {
  if (move.kind === 'evaluate' || move.kind === 'stop') return undefined;
  return move.kind === 'revise' || move.kind === 'hint' ? (corrector ?? generator) : generator;
}

/**
 * The limit that keeps a move from being made. One that calls no model may be made without tokens or calls, except where
 * there is no use in it, because the version could not be judged.
 */
function unaffordable(
  spec: Pick<ReflectionSpec, 'generator' | 'corrector'>,
  settings: LoopSettings,
  state: LoopState,
  move: Move,
  now: number,
): ConvergenceReason | undefined {
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
 * The one place that decides what happens next. Pure: the same state at the same time gives the same move.
 *
 * @param now epoch milliseconds
 */
export function nextMove(
  spec: Pick<ReflectionSpec, 'generator' | 'corrector'>,
  settings: LoopSettings,
  state: LoopState,
  now: number,
): Move {
  if (state.stopped) return { kind: 'stop', reason: state.stopped.reason };
  if (state.commands.abort) return { kind: 'stop', reason: 'aborted' };
  if (state.commands.accept && (state.versions.length > 0 || state.pending)) {
    return { kind: 'stop', reason: 'user_accepted' };
  }
  if (state.pending) return { kind: 'evaluate' };
  const reason = stopReason(state, settings);
  if (reason) return { kind: 'stop', reason };
  const move: Move =
    state.versions.length === 0
      ? { kind: 'draft' }
      : correction(spec.corrector, spec.generator, state.hint !== undefined);
  const spent = unaffordable(spec, settings, state, move, now);
  if (spent) return { kind: 'stop', reason: spent };
  const couldNotJudge = state.versions.at(-1)?.evaluation.outcome === 'inconclusive';
  if (couldNotJudge && rulingOf(state) !== 'continue') return { kind: 'stop', reason: 'blocked' };
  return move;
}
