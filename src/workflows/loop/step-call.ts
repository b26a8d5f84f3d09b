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
  const { spec, state } = run;
  const { settings } = spec;
  const { modelCallMs, stepMs } = settings.timeouts;
  const { timeLeftMs, ...money } = callLimits(
    settings.budget,
    state,
    callTime(settings, 'action' in step ? step.action : undefined),
  );
  const model = isModelCall(step);
  const input = {
    step,
    iteration,
    task: spec.task,
    state: stateForStep(spec, state, step, spec.actionNeeds, iteration),
    material: spec.material,
    model: spec.model,
    timeoutMs: Math.min(model ? modelCallMs : stepMs, timeLeftMs ?? Infinity),
    ...(model ? money : {}),
  };
  const { title = '' } = run;
  return { input, how: { summary: labelled(title, summary), limit: inputLimit(settings), timeLeftMs } };
}
