import type { CallOptions } from '../call-options';

/** How a run is streamed. `timeout` is for each request to the server, not for the whole. */
export interface StreamOptions extends CallOptions {
  /** The `position` of an event: what came until then is not told again. Default: all that is still known is told. */
  from?: string;
}
