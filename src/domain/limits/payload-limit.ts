/** A payload of a history ends at 2 MiB; a run whose end is larger would try to end for ever. */
const HISTORY_PAYLOAD_BYTES = 1_950_000;

/** A little less than what the server takes. */
const HISTORY_INPUT_BYTES = 2_090_000;

interface OutputLimit {
  /** Bytes of an output at most, as JSON. */
  maximumOutputBytes?: number;
  /** Values of so many bytes or more are stored outside of the history. Absent: those of 64 KiB, where any are. */
  storedFromBytes?: number;
}

/**
 * Bytes from which on values are stored outside of the history, where they are, unless a worker's storage says more: a loop of
 * many iterations meets the limit of a history's bytes first.
 */
export const USUALLY_STORED_FROM = 64 * 1_024;

/** What a call may be given, and what of it stands in the history. */
export interface InputLimit {
  /** Infinity: large values are stored outside of the history. */
  mostBytes: number;
  /** Values of so many bytes or more leave only a reference in the history. Absent: none are stored outside. */
  storedFromBytes?: number;
}

/** Only where large payloads are stored outside of histories may an output be larger than a payload of one. */
function isStoredOutside({ maximumOutputBytes = 0 }: OutputLimit): boolean {
  return maximumOutputBytes > HISTORY_INPUT_BYTES;
}

/** Bytes of what a run hands over at most. */
export function payloadLimit(limit: OutputLimit): number {
  return isStoredOutside(limit) ? Infinity : HISTORY_PAYLOAD_BYTES;
}

/** What a call may be given at most. */
export function inputLimit(limit: OutputLimit): InputLimit {
  if (!isStoredOutside(limit)) return { mostBytes: HISTORY_INPUT_BYTES };
  return { mostBytes: Infinity, storedFromBytes: limit.storedFromBytes ?? USUALLY_STORED_FROM };
}
