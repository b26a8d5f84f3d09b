import { type AllowList, allows } from '../domain/base/allow-list';
import type { TypedProblem } from '../domain/base/spec-problem';
import type { WorkflowEvaluator } from '../contract/spec/evaluators';
import type { WorkflowStep } from '../contract/spec/steps';
import { textProblems } from './problems/text-problems';

/** The workflows that steps and evaluators may call, as far as a check knows them. */
export interface WorkflowCalls {
  /** Default: all. */
  allowedWorkflows?: AllowList;
  /** Takes the names that a check looks up. */
  lookedUp?: { note(kind: 'workflow', name: string, isKnown: boolean): void };
}

/**
 * Everything that can be found wrong with the call of a workflow; paths are relative to what holds it. Whether any worker has it
 * is known only when it is called.
 */
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

/** Workflows are called by workflows; an activity that is asked to is one of a worker of another version. */
export function calledByWorkflow({ workflow }: WorkflowStep | WorkflowEvaluator): never {
  throw new TypeError(`the workflow "${workflow}" is called by the run, and by no activity`);
}
