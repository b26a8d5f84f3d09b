/** A mistake that somebody could make in workflow code: it would break runs that are under way. */
export interface Mutant {
  /** In `src/`. */
  file: string;
  /** Stands exactly once in the file. */
  find: string;
  replace: string;
  why: string;
  /**
   * Default: replay itself fails, because the commands differ. `result`: it does not, but the run ends with other data.
   * (Replay looks at the order of commands, not at their time, and not at the data in them.)
   */
  seenIn?: 'result';
  /** Name of a recording that shows it, which is replayed first. Others are, too, if that one no longer shows it. */
  caughtBy?: string;
}
