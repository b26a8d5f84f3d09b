import type { Notify } from '../base/notify';

/**
 * The names that another worker found when it checked a whole run, for a worker that checks the run or a part of it. A worker
 * that does not know one of them is of another build, and may not be the one that the run is intended for.
 */
export interface CheckedBefore {
  /** Names as `LookedUp` notes them, such as `action fetch`. */
  known: string[];
  /** Milliseconds for which the check is retried until a worker knows the names. */
  retryForMs: number;
  /** How the run notifies of its waits, in place of what the check finds; false: it does not. */
  notify?: Notify | false;
}

/** Whether a value is a `CheckedBefore`: the arguments of runs that were started by hand may be anything. */
export function isCheckedBefore(value: unknown): value is CheckedBefore {
  const { known, retryForMs } = (value ?? {}) as Partial<CheckedBefore>;
  return Array.isArray(known) && typeof retryForMs === 'number' && retryForMs >= 0;
}

/** Names as a field of a larger object; no field if nothing was found. */
export function asKnown(names: readonly string[] = []): { known?: string[] } {
  return names.length === 0 ? {} : { known: [...names] };
}

/** The names of a run that was checked, to pass on to the parts and runs that it starts. */
export function createCheckedBefore(
  known: string[] | undefined,
  { retryForMs }: { retryForMs: number },
): CheckedBefore | undefined {
  return known && { known, retryForMs };
}
