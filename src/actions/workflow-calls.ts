import { type AllowList, allows } from '../lib/base/allow-list';
import type { TypedProblem } from '../lib/base/spec-problem';
import type { WorkflowEvaluator } from '../loop/contract/evaluators';
import type { WorkflowStep } from '../loop/contract/steps';
import { textProblems } from './problems/text-problems';

export interface WorkflowCalls {
  /** Default: all. */
  allowedWorkflows?: AllowList;
  lookedUp?: { note(kind: 'workflow', name: string, isKnown: boolean): void };
}

/** Paths are relative to the object that holds it. Whether any worker has the workflow is known only when it is called. */
export async function workflowProblems(
  { workflow, with: told = null }: WorkflowStep | WorkflowEvaluator,
  { allowedWorkflows, lookedUp }: WorkflowCalls,
): Promise<TypedProblem[]> {
  const problems = await textProblems(told, ['with']);
  const isAllowed = allows(allowedWorkflows, workflow);
  lookedUp?.note('workflow', workflow, isAllowed);
  if (isAllowed) return problems;
  const message = `the workflow "${workflow}" is not served by this worker (\`allow.workflows\` or REFLECT_ALLOWED_WORKFLOWS)`;
  return [{ path: '/workflow', message, type: 'UnknownWorkflow' }, ...problems];
}

/** Refuses a workflow call: an activity that is asked to make one belongs to a worker of another version. */
export function refuseWorkflowCall({ workflow }: WorkflowStep | WorkflowEvaluator): never {
  throw new TypeError(`the workflow "${workflow}" is called by the run, and by no activity`);
}
