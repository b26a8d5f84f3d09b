import type { LoopSettings } from './loop-settings';

/** A payload of a history ends at 2 MiB; a run whose end is larger would try to end for ever. */
const HISTORY_PAYLOAD_BYTES = 1_950_000;

/** Bytes of what a run hands over at most: without a limit where large payloads are stored outside of histories. */
export function payloadLimit({ maximumOutputBytes }: Pick<LoopSettings, 'maximumOutputBytes'>): number {
  return maximumOutputBytes === undefined ? HISTORY_PAYLOAD_BYTES : Infinity;
}

/** A little less than what the server takes: runs under way may have been given nearly as much. */
const HISTORY_INPUT_BYTES = 2_090_000;

/** Bytes of what a call is given at most. */
export function inputLimit({ maximumOutputBytes }: Pick<LoopSettings, 'maximumOutputBytes'>): number {
  return maximumOutputBytes === undefined ? HISTORY_INPUT_BYTES : Infinity;
}
