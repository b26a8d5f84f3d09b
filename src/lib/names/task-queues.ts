/** The task queue of workflows and cheap activities, unless another one is configured. */
export const DEFAULT_TASK_QUEUE = 'reflection';

/** Returns the queue of model calls, so that their slots and rate limits are their own. */
export function modelQueue(taskQueue: string): string {
  return `${taskQueue}-models`;
}
