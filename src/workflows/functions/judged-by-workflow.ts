import type { EvaluateInput } from '../../activities/protocol';
import { omitUndefined } from '../../lib/base/defined';
import { inconclusiveVerdict, type Verdict } from '../../loop/state/evaluation';
import { verdictOfWorkflow, type WorkflowRequest } from '../../loop/moves/called-workflow';
import type { EvaluatorPlan } from '../../loop/state/loop-settings';
import type { WorkflowEvaluator } from '../../loop/contract/evaluators';
import { now } from '../shared/clock';
import { callWorkflow, type WorkflowCall } from './call-workflow';

/** Lets a user's workflow judge. An answer that is not a verdict is inconclusive. Throws as `callWorkflow` does. */
export async function judgeByWorkflow(
  evaluator: WorkflowEvaluator,
  plan: EvaluatorPlan,
  { iteration, task, state, output, qualityThreshold, thresholds, material, evidence }: EvaluateInput,
  call: Omit<WorkflowCall, 'material'>,
): Promise<Verdict> {
  const threshold = thresholds?.[0] ?? qualityThreshold;
  const request: WorkflowRequest = {
    part: 'evaluate',
    ...omitUndefined({ iteration, task, state, output, qualityThreshold: threshold, evidence: evidence?.calls }),
  };
  const began = now();
  const { answer, warnings } = await callWorkflow(evaluator, request, { ...call, material });
  const verdict = verdictOfWorkflow(answer, plan, threshold);
  const ms = Math.max(0, now() - began);
  if (typeof verdict === 'string') {
    return { ...inconclusiveVerdict(plan, `the workflow "${evaluator.workflow}" ${verdict}`), ms };
  }
  return { ...verdict, ms, ...(warnings.length > 0 && { warnings }) };
}
