import type { EvaluateInput } from '../../activities/protocol';
import type { EvaluationTask } from '../../loop/state/evaluation-task';
import { drawOf, needsPrior } from '../../loop/moves/evaluation-tasks';
import { remainingLine } from '../../loop/limits/remaining';
import type { Json, JsonObject } from '../../lib/json/json';
import { currentIteration, type LoopState, type PendingOutput, versionOf } from '../../loop/state/loop-state';
import { thresholdFor } from '../../loop/evaluation/relaxation';
import { evaluatorTraits, isJudge } from '../../loop/spec/evaluator-traits';
import type { Evaluator } from '../../loop/contract/evaluators';
import type { KeptCalls } from '../../loop/contract/calls';
import { CHECKED_CALLS_BYTES } from '../../loop/evidence/bounded-calls';
import { isEvidence } from '../../loop/evidence/evidence-text';
import { shownEvidence } from '../../loop/versions/evidence';
import { inputsForJudges, stateForEvaluators } from '../../loop/step-state/project';
import { attemptTime } from '../shared/activity-calls';
import type { LoopRun } from './loop-run';

/** If that version was kept without its output, it is the version before it. */
function priorOf(state: LoopState, { basedOn }: PendingOutput): Json | undefined {
  const base = versionOf(state, basedOn ?? null);
  return (base && base.omittedBytes === undefined ? base : state.versions.at(-1))?.output;
}

export function evaluationInput(run: LoopRun, pending: PendingOutput, asks: readonly EvaluationTask[]): EvaluateInput {
  const { spec, state } = run;
  // Work that is not done yet is judged beside the versions.
  const iteration = currentIteration(state) + (state.pending === pending ? 0 : 1);
  const evaluators = asks.map(({ evaluator }) => evaluator);
  const asksModel = asks.some(({ plan }) => plan.asksModel !== false);
  const hasOwnThreshold = asks.some(({ threshold }) => threshold !== undefined);
  const judge = asks.find(({ evaluator }) => isJudge(evaluator));
  return {
    evaluators,
    names: asks.map(({ plan }) => plan.name),
    iteration,
    output: pending.output,
    task: spec.task,
    state: seenState(run, stateForEvaluators(spec, state, evaluators, spec.actionNeeds, iteration)),
    material: spec.material,
    qualityThreshold: thresholdFor(spec.settings, pending),
    thresholds: hasOwnThreshold ? asks.map(({ threshold = null }) => threshold) : undefined,
    prior: asks.some(needsPrior) ? priorOf(state, pending) : undefined,
    inputs: showsInputs(run, pending, evaluators) ? inputsForJudges(spec, evaluators) : undefined,
    evidence: evidenceFor(run, pending, evaluators),
    candidate: asks.find(({ candidate }) => candidate !== undefined)?.candidate,
    model: spec.judgeModel,
    temperature: judge && spec.judgeTemperature,
    asksBlockers: judge && spec.asksBlockers,
    draw: judge && drawOf(judge, pending.rounds, judge.index >= spec.evaluators.length),
    judgePrompt: spec.reflectionPrompt,
    remaining: judge && remainingLine(spec.settings, state),
    structured: spec.structuredReflection,
    timeoutMs: attemptTime(spec.settings, asksModel),
  };
}

/** Returns whether judges see the inputs of an output: a repaired value may be an invented one. */
function showsInputs({ spec }: LoopRun, { origin }: PendingOutput, evaluators: readonly Evaluator[]): boolean {
  return origin === 'revision' && !spec.hidesInputs && evaluators.some(isJudge);
}

/** A deterministic evaluator is shown all of them, others as many as fit into a prompt. */
function evidenceFor(
  { spec, state }: LoopRun,
  pending: PendingOutput,
  evaluators: readonly Evaluator[],
): KeptCalls | undefined {
  const evidence = new Set(evaluators.map(({ type }) => evaluatorTraits(type).evidence));
  const isShown = evidence.has('always') || (evidence.has('unless_hidden') && !spec.hidesEvidence);
  const isChecked = evidence.has('checked');
  // The calls of unfinished work stand in that work.
  if (!(isShown || isChecked) || state.pending !== pending) return undefined;
  const shown = shownEvidence(state, isChecked ? CHECKED_CALLS_BYTES : undefined);
  if (!isChecked && !isEvidence(shown)) return undefined;
  return shown.calls || shown.callsOmitted ? shown : undefined;
}

/** Returns the state that an evaluator reads. Outside of a loop, `reflection_*` variables are those of the request's state. */
export function seenState({ spec, label }: LoopRun, state: JsonObject): JsonObject {
  if (label === undefined) return state;
  return Object.fromEntries(
    Object.entries(state).map(([key, value]) => [key, Object.hasOwn(spec.state, key) ? spec.state[key]! : value]),
  );
}

export function evaluationSummary(
  { label, title = '' }: Pick<LoopRun, 'label' | 'title'>,
  iteration: number,
  what: string,
): string {
  return label === undefined ? labelledSummary(title, `#${iteration} ${what}`) : labelledSummary(label, what);
}

export function labelledSummary(label: string, what: string): string {
  return label === '' ? what : `${label} · ${what}`;
}
