import { type Client, type ConnectionLike, WorkflowClient } from '@temporalio/client';

type Service = ConnectionLike['workflowService'];

/** The same service, which hands out no memo. */
function serviceWithoutMemos(service: Service): Service {
  return Object.create(service, {
    listWorkflowExecutions: {
      value: async (request: Parameters<Service['listWorkflowExecutions']>[0]) => {
        const page = await service.listWorkflowExecutions(request);
        for (const execution of page.executions) execution.memo = null;
        return page;
      },
    },
    describeWorkflowExecution: {
      value: async (request: Parameters<Service['describeWorkflowExecution']>[0]) => {
        const description = await service.describeWorkflowExecution(request);
        if (description.workflowExecutionInfo) description.workflowExecutionInfo.memo = null;
        return description;
      },
    },
  }) as Service;
}

/**
 * A client for lists and descriptions of runs that reads nothing of what was noted about a run: a memo that is encrypted with another
 * key, or that an external storage holds, would fail the whole list.
 */
export function readerWithoutMemos({ connection, options: { namespace } }: Client): WorkflowClient {
  const service = serviceWithoutMemos(connection.workflowService);
  const silent = Object.create(connection, { workflowService: { value: service } }) as ConnectionLike;
  return new WorkflowClient({ connection: silent, namespace });
}
