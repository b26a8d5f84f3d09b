/** What a workflow knows of its run and its state does not say. */
export interface RunCircumstances {
  /** The server suggests a new run: the history grows long. */
  isSuggested: boolean;
  /** The run is bound to a build, which may be gone before it is done with waiting. */
  isBoundToBuild: boolean;
  /** Whether what would be handed over fits into a payload. Asked last: it looks at all of it. */
  fits(): boolean;
}

/** What comes next in a run, at a point where a new run may take over. */
export interface ComingUp {
  /** The run has become longer than we want it to be. */
  isLong?: boolean;
  /** It waits, or may wait, for a person or an event. */
  mayWait: boolean;
}

/**
 * Whether a new run takes over, at a point where one may. Loops, pipelines, plans and populations all ask this, and nothing else
 * answers it: we keep runs short enough to read, and a run that is bound to its build hands over before it waits, for that may
 * take longer than the build is kept. What does not fit cannot be handed over.
 */
export function continuesAsNew({ isSuggested, isBoundToBuild, fits }: RunCircumstances, next: ComingUp): boolean {
  return (isSuggested || (next.isLong ?? false) || (next.mayWait && isBoundToBuild)) && fits();
}
