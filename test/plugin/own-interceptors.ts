import type { WorkflowInterceptorsFactory } from '@temporalio/workflow';

/** Interceptors of a worker's owner. */
export const interceptors: WorkflowInterceptorsFactory = () => ({});
