import type { LoopSettings } from './loop-settings';

/** A payload of a history ends at 2 MiB; a run whose end is larger would try to end for ever. */
const HISTORY_PAYLOAD_BYTES = 1_950_000;

/** A little less than what the server takes. */
const HISTORY_INPUT_BYTES = 2_090_000;

type OutputLimit = Pick<LoopSettings, 'maximumOutputBytes'>;

/** Only where large payloads are stored outside of histories may an output be larger than a payload of one. */
function isStoredOutside({ maximumOutputBytes = 0 }: OutputLimit): boolean {
  return maximumOutputBytes > HISTORY_INPUT_BYTES;
}

/** Bytes of what a run hands over at most. */
export function payloadLimit(limit: OutputLimit): number {
  return isStoredOutside(limit) ? Infinity : HISTORY_PAYLOAD_BYTES;
}

/** Bytes of what a call is given at most. */
export function inputLimit(limit: OutputLimit): number {
  return isStoredOutside(limit) ? Infinity : HISTORY_INPUT_BYTES;
}
