/**
 * What is known of a run, or of a part of one, when a worker checks it: another worker found these names when it checked the whole.
 * A worker that does not know one of them is of another build, and may not be the one that the run is meant for.
 */
export interface CheckedBefore {
  /** As `LookedUp` notes them, such as `action fetch`. */
  known: string[];
  /** Milliseconds for which a worker that knows them is looked for. */
  retryForMs: number;
}

/** Whether something is one: the arguments of runs that were started by hand may be anything. */
export function isCheckedBefore(value: unknown): value is CheckedBefore {
  const { known, retryForMs } = (value ?? {}) as Partial<CheckedBefore>;
  return Array.isArray(known) && typeof retryForMs === 'number' && retryForMs >= 0;
}

/** The same as fields of a larger whole; none where nothing was found. */
export function asKnown(names: readonly string[] = []): { known?: string[] } {
  return names.length === 0 ? {} : { known: [...names] };
}

/** What a run that was checked says of what it starts. */
export function checkedBefore(
  known: string[] | undefined,
  { retryForMs }: { retryForMs: number },
): CheckedBefore | undefined {
  return known && { known, retryForMs };
}
