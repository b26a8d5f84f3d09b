import type { EvaluateInput } from '../activities/protocol';
import type { JsonObject } from '../domain/json';
import { currentIteration, type PendingOutput } from '../domain/loop-state';
import type { Evaluator } from '../domain/spec';
import { stateForEvaluators } from '../domain/step-inputs';
import type { LoopRun } from './loop';

/** What evaluators are given to judge an output with. */
export function evaluationInput(
  run: LoopRun,
  pending: PendingOutput,
  chosen: Evaluator[],
  names: string[],
  asksModel = true,
): EvaluateInput {
  const { spec, preparation, state } = run;
  const iteration = currentIteration(state);
  const model = spec.reflectionModel ?? spec.model;
  return {
    evaluators: chosen,
    names,
    iteration,
    output: pending.output,
    ...(spec.task === undefined ? {} : { task: spec.task }),
    state: seenState(run, stateForEvaluators(spec, state, chosen, preparation.actionNeeds, iteration)),
    qualityThreshold: preparation.settings.qualityThreshold,
    ...(model === undefined ? {} : { model }),
    ...(spec.reflectionPrompt === undefined ? {} : { judgePrompt: spec.reflectionPrompt }),
    structured: spec.structuredReflection ?? true,
    timeoutMs: asksModel ? preparation.settings.timeouts.modelCallMs : preparation.settings.timeouts.stepMs,
  };
}

/** Where no loop is, its variables are those that the state came with. */
function seenState({ spec, label }: LoopRun, state: JsonObject): JsonObject {
  if (label === undefined) return state;
  const own = spec.state ?? {};
  return Object.fromEntries(
    Object.entries(state).map(([key, value]) => [key, Object.hasOwn(own, key) ? own[key]! : value]),
  );
}

/** What an activity of an evaluation is called in the timeline. */
export function evaluationSummary({ label }: Pick<LoopRun, 'label'>, iteration: number, what: string): string {
  return label === undefined ? `#${iteration} ${what}` : labelled(label, what);
}

/** The same where no loop is. */
export function labelled(label: string, what: string): string {
  return label === '' ? what : `${label} · ${what}`;
}
