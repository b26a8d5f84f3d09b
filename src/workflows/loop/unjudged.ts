import { type BudgetReason, reachedBudget } from '../../loop/limits/budget';
import { inconclusiveVerdict, type Verdict } from '../../loop/state/evaluation';
import type { EvaluatorPlan } from '../../loop/state/loop-settings';
import { addUsage } from '../../lib/base/tokens';
import type { TokenUsage } from '../../lib/contract/values';
import { now } from '../shared/clock';
import type { LoopRun } from './loop-run';
import { stepFailureOf, usageOfFailure } from '../shared/step-failure';
import { RunTimeExceeded } from '../shared/limits-exceeded';
import { noteTimeIsUp } from '../../loop/state/notes';

export function reachedLimit({ spec, state }: LoopRun, used?: TokenUsage): BudgetReason | undefined {
  const tokenUsage = addUsage(state.tokenUsage, used);
  return reachedBudget(spec.settings.budget, { ...state, tokenUsage }, now());
}

export function noteInconclusive(run: LoopRun, plan: EvaluatorPlan, error: unknown): Verdict {
  if (!(error instanceof RunTimeExceeded)) {
    const { message } = stepFailureOf(error, plan.asksModel ?? true);
    const tokenUsage = usageOfFailure(error);
    return { ...inconclusiveVerdict(plan, message), ...(tokenUsage && { tokenUsage }) };
  }
  noteTimeIsUp(run.state);
  return inconclusiveVerdict(plan, error.message);
}
