import type { ConvergenceReason } from './convergence';
import type { LoopSettings } from './loop-settings';
import type { LoopState } from './loop-state';
import type { Corrector, ReflectionSpec, Step } from './spec';

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
export function isModelCall(step: Step): boolean {
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
  if (last.evaluation.satisfactory) return 'quality_met';
  // The circuit breaker wins ties: every other reason is read from the same last version.
  if (last.iteration >= settings.maxIterations) return 'max_iterations';
  if (last.evaluation.outcome === 'inconclusive') return 'blocked';
  return undefined;
}

function correction(corrector: Corrector | undefined, generator: Step, hinted: boolean): Move {
  if (corrector?.mode === 'hint') return { kind: hinted ? 'regenerate' : 'hint' };
  if (corrector || isModelCall(generator)) return { kind: 'revise' };
  return { kind: 'regenerate' };
}

/** The one place that decides what happens next. Pure: the same state gives the same move. */
export function nextMove(
  spec: Pick<ReflectionSpec, 'generator' | 'corrector'>,
  settings: LoopSettings,
  state: LoopState,
): Move {
  if (state.stopped) return { kind: 'stop', reason: state.stopped.reason };
  if (state.commands.abort) return { kind: 'stop', reason: 'aborted' };
  if (state.commands.accept && (state.versions.length > 0 || state.pending)) {
    return { kind: 'stop', reason: 'user_accepted' };
  }
  if (state.pending) return { kind: 'evaluate' };
  const reason = stopReason(state, settings);
  if (reason) return { kind: 'stop', reason };
  if (state.versions.length === 0) return { kind: 'draft' };
  return correction(spec.corrector, spec.generator, state.hint !== undefined);
}
