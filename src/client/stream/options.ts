import type { CallOptions } from '../calls/call-options';

/** How a run is streamed. `timeout` is for each request to the server, not for the whole. */
export interface StreamOptions extends CallOptions {
  /**
   * The `position` of an event: events up to it are not reported again. Default: all events that are still known are
   * reported.
   */
  from?: string;
}
