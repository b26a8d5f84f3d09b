/** A payload of a history ends at 2 MiB; a run whose end is larger would try to end for ever. */
const HISTORY_PAYLOAD_BYTES = 1_950_000;

const HISTORY_INPUT_BYTES = 2_090_000;

interface OutputLimit {
  maximumOutputBytes?: number;
  /** The size from which values are stored outside of the history, in bytes. By default 64 KiB, if any are. */
  storedFromBytes?: number;
}

/**
 * Bytes from which on values are stored outside of the history, where they are, unless a worker's storage says more: a loop of
 * many iterations meets the limit of a history's bytes first.
 */
export const USUALLY_STORED_FROM = 64 * 1_024;

export interface InputLimit {
  /** Infinity: large values are stored outside of the history. */
  mostBytes: number;
  /** The size from which values leave only a reference in the history, in bytes. By default, none are stored outside. */
  storedFromBytes?: number;
  /** The most bytes that the call returns. Default: as the table of the loop's calls says, by the name of the activity. */
  resultBytes?: number;
}

function isStoredOutside({ maximumOutputBytes = 0 }: OutputLimit): boolean {
  return maximumOutputBytes > HISTORY_INPUT_BYTES;
}

export function payloadLimit(limit: OutputLimit): number {
  return isStoredOutside(limit) ? Infinity : HISTORY_PAYLOAD_BYTES;
}

export function inputLimit(limit: OutputLimit): InputLimit {
  if (!isStoredOutside(limit)) return { mostBytes: HISTORY_INPUT_BYTES };
  return { mostBytes: Infinity, storedFromBytes: limit.storedFromBytes ?? USUALLY_STORED_FROM };
}
