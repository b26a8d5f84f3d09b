import type { StepInput } from '../../activities/protocol';
import { remainingLine } from '../../loop/limits/remaining';
import { callLimits } from '../../loop/limits/budget';
import { isModelCall } from '../../loop/spec/steps';
import type { LoopRun } from './loop-run';
import { inputLimit } from '../../lib/limits/payload-limit';
import type { Step } from '../../loop/contract/steps';
import { materialForStep, stateForStep } from '../../loop/step-state/project';
import { addUsage } from '../../lib/base/tokens';
import type { TokenUsage } from '../../lib/contract/values';
import { attemptTime, workOfStep, type CallOptions, callTime } from '../shared/activity-calls';
import { labelledSummary } from './evaluation-input';

interface BudgetedCall {
  how: CallOptions;
  limits: { maxTokens?: number; maxUsd?: number };
  timeoutMs(ms: number): number;
}

export function budgetedCall(
  { spec: { settings }, state }: LoopRun,
  summary: string,
  action: string | undefined,
  used?: TokenUsage,
): BudgetedCall {
  const spent = { ...state, tokenUsage: addUsage(state.tokenUsage, used) };
  const { timeLeftMs, ...limits } = callLimits(settings.budget, spent, callTime(settings, action));
  const how = { summary, limit: inputLimit(settings), timeLeftMs };
  return { how, limits, timeoutMs: (ms) => Math.min(ms, timeLeftMs ?? Infinity) };
}

/** Returns the input of a step and the options of its activity, within what the budget leaves. */
export function stepCall(
  run: LoopRun,
  step: Step,
  iteration: number,
  summary: string,
): { input: StepInput; how: CallOptions } {
  const { spec, state, title = '' } = run;
  const model = isModelCall(step);
  const { how, limits, timeoutMs } = budgetedCall(run, labelledSummary(title, summary), workOfStep(step).action);
  const input = {
    step,
    iteration,
    task: spec.task,
    state: stateForStep(spec, state, step, spec.actionNeeds, iteration),
    material: materialForStep(spec, state),
    model: spec.model,
    timeoutMs: timeoutMs(attemptTime(spec.settings, model)),
    ...(model ? { ...limits, remaining: remainingLine(spec.settings, state) } : {}),
  };
  return { input, how };
}
