/** A result that is to go to the storage. Both answers stand for it: an activity returns one of them in its place. */
export interface LargeResult {
  bytes: number;
  /** Stores it. May be called again after it failed. */
  store(signal: AbortSignal): Promise<unknown>;
  /** Leaves the result out of the storage and returns it for the history. */
  inline(): unknown;
}
