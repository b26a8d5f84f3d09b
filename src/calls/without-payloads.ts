import { type Client, type ConnectionLike, WorkflowClient } from '@temporalio/client';

type Service = ConnectionLike['workflowService'];

/** Wraps a service so that it returns no payload that starters or workers wrote: memos, summaries, details of heartbeats. */
function serviceWithoutPayloads(service: Service): Service {
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
        const { executionConfig, workflowExecutionInfo } = description;
        if (workflowExecutionInfo) workflowExecutionInfo.memo = null;
        if (executionConfig) executionConfig.userMetadata = null;
        description.pendingActivities = [];
        return description;
      },
    },
  }) as Service;
}

/**
 * Creates a client for lists and descriptions of runs that reads no payloads: a memo that is encrypted with another key, or
 * that an external storage holds, would fail the whole list.
 */
export function readerWithoutPayloads({ connection, options: { namespace } }: Client): WorkflowClient {
  const service = serviceWithoutPayloads(connection.workflowService);
  const silent = Object.create(connection, { workflowService: { value: service } }) as ConnectionLike;
  return new WorkflowClient({ connection: silent, namespace });
}
