import type { EvaluateInput } from '../activities/protocol';
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
    state: stateForEvaluators(spec, state, chosen, preparation.actionNeeds, iteration),
    qualityThreshold: preparation.settings.qualityThreshold,
    ...(model === undefined ? {} : { model }),
    ...(spec.reflectionPrompt === undefined ? {} : { judgePrompt: spec.reflectionPrompt }),
    structured: spec.structuredReflection ?? true,
    timeoutMs: asksModel ? preparation.settings.timeouts.modelCallMs : preparation.settings.timeouts.stepMs,
  };
}
