import type { StepInput } from '../../activities/protocol';
import { callLimits } from '../../domain/limits/budget';
import { isModelCall } from '../../domain/spec/steps';
import type { LoopRun } from './loop-run';
import { inputLimit } from '../../domain/limits/payload-limit';
import type { Step } from '../../domain/spec/spec';
import { stateForStep } from '../../domain/step-state/project';
import { type CallOptions, callTime } from '../shared/activity-calls';
import { labelled } from './evaluation-input';

/** What a step is given, and how its activity is called, within what the budget leaves. */
export function stepCall(
  run: LoopRun,
  step: Step,
  iteration: number,
  summary: string,
): { input: StepInput; how: CallOptions } {
  const { spec, preparation, state } = run;
  const { modelCallMs, stepMs } = preparation.settings.timeouts;
  const { timeLeftMs, ...money } = callLimits(
    preparation.settings.budget,
    state,
    callTime(preparation.settings, 'action' in step ? step.action : undefined),
  );
  const model = isModelCall(step);
  const input = {
    step,
    iteration,
    ...(spec.task === undefined ? {} : { task: spec.task }),
    state: stateForStep(spec, state, step, preparation.actionNeeds, iteration),
    ...(spec.material === undefined ? {} : { material: spec.material }),
    ...(spec.model === undefined ? {} : { model: spec.model }),
    timeoutMs: Math.min(model ? modelCallMs : stepMs, timeLeftMs ?? Infinity),
    ...(model ? money : {}),
  };
  const { title = '' } = run;
  const limit = inputLimit(preparation.settings);
  const how = { summary: labelled(title, summary), limit, ...(timeLeftMs === undefined ? {} : { timeLeftMs }) };
  return { input, how };
}
