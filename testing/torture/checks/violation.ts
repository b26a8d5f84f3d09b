/** The promises, each broken in a way of its own. */
export type Invariant =
  /** Every acknowledged start ends exactly once. */
  | 'lost'
  | 'stuck'
  | 'doubled'
  /** Iterations have no gaps. */
  | 'gap'
  /** A recorded call is never sent again. */
  | 'resent'
  /** A call is sent at most once more for each kill that met it in flight. */
  | 'oversent'
  /** A call in the background is not paid for again when its id had reached a heartbeat. */
  | 'paid-again'
  /** Every acknowledged command is applied once, and none after the end. */
  | 'command-lost'
  | 'command-doubled'
  | 'command-late'
  /** Token sums are those of the recorded answers. */
  | 'tokens'
  /** Kills change when a loop ends, not how. */
  | 'result';

export interface Violation {
  invariant: Invariant;
  /** A workflow id, or a call. */
  where: string;
  message: string;
}
