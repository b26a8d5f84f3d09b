import type { CallOptions } from '../../calls/call-options';

/** The options of a stream of a run. `timeout` applies to each request to the server, not to the stream as a whole. */
export interface StreamOptions extends CallOptions {
  /**
   * The `position` of an event: events up to it are not reported again. Default: all events that are still known are
   * reported.
   */
  from?: string;
}
