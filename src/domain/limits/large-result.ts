/** A result that is to go to the storage. Both answers stand for it: an activity returns one of them in its place. */
export interface LargeResult {
  /** As it would stand in a history. */
  bytes: number;
  /** Stores it. May be called again after it failed. */
  store(signal: AbortSignal): Promise<unknown>;
  /** Leaves it out of the storage: it stands in the history. */
  inline(): unknown;
}
