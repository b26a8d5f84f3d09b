/** Who makes a call: a worker, and the attempt of an activity. Workers say it in a header, for the ledger. */
export interface Caller {
  worker: string;
  workflowId: string;
  runId: string;
  activityId: string;
  attempt: number;
}

/** The header that holds a `Caller` as JSON. */
export const CALLER_HEADER = 'x-caller';
