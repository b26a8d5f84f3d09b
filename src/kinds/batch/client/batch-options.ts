import type { BatchBudget } from '../contract/batch';
import type { CallOptions } from '../../../calls/call-options';

/** How a batch is started. */
export interface BatchStartOptions extends CallOptions {
  /**
   * Workflow id of the batch. Default: the name of the loop and a digest of the items and the loop, so the same call finds the batch
   * that it started before.
   */
  workflowId?: string;
  /** The name of the batch in lists. Default: the name of the loop. */
  name?: string;
  /** Default: the client's task queue. */
  taskQueue?: string;
  /** Number of loops that run at the same time, 1 to 500. Default: 20. */
  concurrency?: number;
  /** When it is spent, no further item is started. Runs that ended count, retries included. Default: no limit. */
  budget?: BatchBudget;
  /** For a batch that has ended: runs the items again that failed or were not started. */
  retry?: boolean;
  /** Called after each page of items that was uploaded, with the number of items so far. */
  onUpload?: (uploaded: number, items: number) => void;
}
