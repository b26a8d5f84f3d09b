import { asksModel } from '../evaluation/flags';
import type { ReflectionEvaluation } from '../contract/evaluation';
import type { EvaluatorPlan, LoopSettings } from '../state/loop-settings';
import type { StepFailure, ReflectionVersion, Trigger } from '../state/loop-state';
import { scoreDifference } from '../evaluation/scores';
import type { TriggersSpec } from '../contract/loop-options';

export interface Progression {
  /** Turns of the model so far, each with the results of the tools that it called. */
  steps: number;
  tools: { name: string; failed: boolean }[];
}

type Rule = (triggers: TriggersSpec, progression: Progression) => boolean;

const UNFINISHED: readonly [Trigger, Rule][] = [
  ['error', ({ reflectOnError }, { tools }) => reflectOnError === true && tools.some(({ failed }) => failed)],
  ['tool_result', ({ reflectOnTools = [] }, { tools }) => tools.some(({ name }) => reflectOnTools.includes(name))],
  ['step_interval', ({ reflectionInterval }, { steps }) => steps % (reflectionInterval ?? Infinity) === 0],
];

export function dueTrigger(triggers: TriggersSpec | undefined, progression: Progression): Trigger | undefined {
  return triggers && UNFINISHED.find(([, holds]) => holds(triggers, progression))?.[0];
}

const RECOVERABLE = new Set(['StepFailed', 'OutputTooLarge', 'Model.Refused', 'Model.Filtered', 'Model.ContextLength']);

/** Whether a step that failed permanently is informed of that and tried once more. */
export function reflectsOnFailure(triggers: TriggersSpec | undefined, { type }: StepFailure): boolean {
  return triggers?.reflectOnError === true && RECOVERABLE.has(type);
}

/** The evaluation of unfinished work that failed: the findings of its judges, if there are any, after the failure. */
export function withFailure(evaluation: ReflectionEvaluation, { message }: StepFailure): ReflectionEvaluation {
  const issue = { message: `The step failed: ${message}`, severity: 'major' as const, evaluator: 'generator' };
  return { ...evaluation, issues: [issue, ...evaluation.issues] };
}

/** A version that dropped is judged once more, before anything is concluded from a score that may be a mistake of the judge. */
export function hasDropped(settings: Pick<LoopSettings, 'triggers'>, versions: readonly ReflectionVersion[]): boolean {
  const last = versions.at(-1);
  const limit = settings.triggers?.qualityDropThreshold;
  if (limit === undefined || last?.evaluation.outcome !== 'fail') return false;
  if (last.trigger === 'quality_drop' || last.origin === 'draft') return false;
  const base = versions.find(({ iteration }) => iteration === (last.basedOn ?? last.iteration - 1));
  const [before, after] = [base?.evaluation.overallScore ?? null, last.evaluation.overallScore];
  return before !== null && after !== null && scoreDifference(before, after) > limit;
}

export function triggersOf(triggers: TriggersSpec, plans: readonly EvaluatorPlan[]): TriggersSpec {
  if (plans.some((plan) => (plan.parts ?? [plan]).some(asksModel))) return triggers;
  const { qualityDropThreshold: _threshold, ...others } = triggers;
  return others;
}
