import { Context } from '@temporalio/activity';

/** Id of the run whose activity this is. */
export function workflowId(): string {
  return Context.current().info.workflowExecution?.workflowId ?? '';
}
