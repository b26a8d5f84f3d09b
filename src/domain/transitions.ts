import { combineVerdicts, unjudged } from './combine';
import type { ConvergenceReason } from './convergence';
import type { ReflectionEvaluation, Verdict } from './evaluation';
import { resolvedIssues } from './issues';
import type { Json } from './json';
import type { LoopSettings, Preparation } from './loop-settings';
import { bestSoFar, type LoopState, type PendingOutput, type StepFailure } from './loop-state';
import { EVALUATION_ROUNDS } from './next-move';
import { readOutput } from './output-reading';
import { betterVersion } from './selection';
import { addUsage, NO_USAGE, type TokenUsage } from './tokens';
import type { Origin } from './version';

/** What a generator or corrector gave back. */
export interface StepOutcome {
  output: Json;
  tokenUsage?: TokenUsage;
  warnings: string[];
}

/** A generator or corrector answered: its output waits to be judged. */
export function takeOutput(state: LoopState, outcome: StepOutcome, origin: Origin, strategy?: string): void {
  const { hint } = state;
  delete state.hint;
  state.tokenUsage = addUsage(state.tokenUsage, outcome.tokenUsage);
  state.pending = {
    output: outcome.output,
    origin,
    ...(strategy === undefined ? {} : { strategy }),
    verdicts: [],
    rounds: 0,
    tokenUsage: addUsage(hint?.tokenUsage ?? NO_USAGE, outcome.tokenUsage),
    warnings: [...(hint?.warnings ?? []), ...outcome.warnings],
  };
}

/** The corrector gave a hint for the next generation. */
export function takeHint(state: LoopState, outcome: StepOutcome): void {
  state.tokenUsage = addUsage(state.tokenUsage, outcome.tokenUsage);
  state.hint = { text: outcome.output, tokenUsage: outcome.tokenUsage ?? NO_USAGE, warnings: outcome.warnings };
}

/** An evaluator answered. A verdict of the same evaluator from an earlier round is replaced. */
export function takeVerdict(state: LoopState, pending: PendingOutput, index: number, verdict: Verdict): void {
  const { reading, tokenUsage, warnings = [], unreadable: _unreadable, ...kept } = verdict;
  state.tokenUsage = addUsage(state.tokenUsage, tokenUsage);
  pending.tokenUsage = addUsage(pending.tokenUsage, tokenUsage);
  pending.warnings = [...new Set([...pending.warnings, ...warnings])];
  pending.verdicts[index] = kept;
  if (reading) {
    pending.output = readOutput(pending.output, reading);
    pending.reading = reading;
  }
}

/** Indexes of the evaluators that have yet to judge, or that could not. None once a gate failed. */
export function evaluatorsToAsk(pending: PendingOutput, evaluators: Preparation['evaluators']): number[] {
  if (gateFailed(pending, evaluators)) return [];
  return evaluators.flatMap((_, index) => {
    const verdict = pending.verdicts[index];
    return !verdict || verdict.outcome === 'inconclusive' ? [index] : [];
  });
}

/** True once a gate said that the output fails. */
export function gateFailed(pending: PendingOutput, evaluators: Preparation['evaluators']): boolean {
  return evaluators.some((evaluator, index) => evaluator.gate && pending.verdicts[index]?.outcome === 'fail');
}

/** True when another round would ask a judge that could not judge, and one is left. */
export function mayAskAgain(pending: PendingOutput, evaluators: Preparation['evaluators']): boolean {
  return pending.rounds < EVALUATION_ROUNDS && evaluatorsToAsk(pending, evaluators).length > 0;
}

function record(state: LoopState, settings: LoopSettings, evaluation: ReflectionEvaluation, at: string): void {
  const { pending } = state;
  if (!pending) return;
  const previous = state.versions.at(-1);
  const judged = evaluation.outcome !== 'inconclusive' && previous;
  const version = {
    iteration: (previous?.iteration ?? 0) + 1,
    output: pending.output,
    evaluation,
    origin: pending.origin,
    ...(pending.strategy === undefined ? {} : { strategy: pending.strategy }),
    improvementsApplied: judged ? resolvedIssues(previous.evaluation.issues, evaluation.issues) : [],
    trigger: 'completion' as const,
    timestamp: at,
    tokenUsage: pending.tokenUsage,
    warnings: pending.warnings,
  };
  state.bestIteration = betterVersion(bestSoFar(state), version, settings.bestVersionSelection).iteration;
  state.versions = [...state.versions, version];
  delete state.pending;
}

/** The pending output becomes a version with the evaluation that its verdicts make. */
export function settleVersion(
  state: LoopState,
  settings: LoopSettings,
  evaluators: Preparation['evaluators'],
  at: string,
): void {
  const { pending } = state;
  if (!pending) return;
  const weights = new Map(evaluators.map((evaluator, index) => [pending.verdicts[index], evaluator.weight]));
  const verdicts = pending.verdicts.filter((verdict) => verdict !== undefined && verdict !== null);
  record(
    state,
    settings,
    combineVerdicts(verdicts, (verdict) => weights.get(verdict) ?? 1),
    at,
  );
}

/** The loop ends. An output that nobody judged yet is kept as a version that says so. */
export function stop(
  state: LoopState,
  settings: LoopSettings,
  reason: ConvergenceReason,
  at: string,
  failure?: StepFailure,
): void {
  if (state.pending) record(state, settings, unjudged('The run ended before this version was judged.'), at);
  state.stopped = {
    reason,
    ...(failure ? { message: failure.message, failure } : {}),
  };
}
