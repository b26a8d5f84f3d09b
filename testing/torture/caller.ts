/** Who makes a call: a worker, and the attempt of an activity. Workers say it in a header, for the ledger. */
export interface Caller {
  worker: string;
  workflowId: string;
  runId: string;
  activityId: string;
  attempt: number;
  /** Id of a response, where the server handed the attempt one from a heartbeat of those before it. */
  given?: string;
}

/** The header that holds a `Caller` as JSON. */
export const CALLER_HEADER = 'x-caller';
