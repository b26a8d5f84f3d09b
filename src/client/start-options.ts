import type { CallOptions } from './call-options';

/** Where a run is. */
export interface RunReference {
  workflowId: string;
  runId: string;
}

export interface StartOptions extends CallOptions {
  /** Default: `reflection-` and a random UUID. Starting the same id twice while it runs is an error. */
  workflowId?: string;
}
