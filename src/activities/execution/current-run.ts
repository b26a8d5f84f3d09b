import { Context } from '@temporalio/activity';

export function workflowId(): string {
  return Context.current().info.workflowExecution?.workflowId ?? '';
}
