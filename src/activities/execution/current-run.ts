import { Context } from '@temporalio/activity';

/** Returns the id of the run that the current activity belongs to. */
export function workflowId(): string {
  return Context.current().info.workflowExecution?.workflowId ?? '';
}
