import { refuseWorkflowCall, workflowProblems } from '../actions/workflow-calls';
import type { WorkflowEvaluator } from '../loop/contract/evaluators';
import type { EvaluatorKind } from './types';

/** Has a child workflow judge an output. The run calls it: see `workflows/functions`. */
export const workflowEvaluator: EvaluatorKind<WorkflowEvaluator> = {
  type: 'workflow',
  problems: (config, context) => workflowProblems(config, context),
  evaluate: (config) => refuseWorkflowCall(config),
};
