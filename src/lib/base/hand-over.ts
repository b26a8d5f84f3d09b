/** Facts that a workflow knows of its run and its state does not contain. */
export interface RunCircumstances {
  /** The server suggests a new run: the history grows long. */
  isSuggested: boolean;
  /** The run is bound to a build, which may be gone before it is done with waiting. */
  isBoundToBuild: boolean;
  /** Returns whether the state for the new run fits into a payload. Checked last, because that reads all of the state. */
  fits(): boolean;
}

interface NextStep {
  isLong?: boolean;
  mayWait: boolean;
}

/**
 * Returns whether a new run takes over, at a point at which one may. Loops, pipelines, plans and populations all use this
 * decision: runs are kept short enough to read, and a run that is bound to its build continues as new before it waits,
 * because the wait may take longer than the build is kept. A state that does not fit into a payload cannot be passed on.
 */
export function continuesAsNew({ isSuggested, isBoundToBuild, fits }: RunCircumstances, next: NextStep): boolean {
  return (isSuggested || (next.isLong ?? false) || (next.mayWait && isBoundToBuild)) && fits();
}
