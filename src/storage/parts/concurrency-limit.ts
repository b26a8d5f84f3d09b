/** Runs work, not more than `most` at the same time; the rest waits in order. */
export type ConcurrencyLimit = <T>(work: () => Promise<T>) => Promise<T>;

export function concurrencyLimit(most: number): ConcurrencyLimit {
  const waiting: (() => void)[] = [];
  let free = most;
  return async (work) => {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free++;
    }
  };
}

/** Waits for all, also after one has failed, so that nothing goes on behind the caller's back; then throws the first error. */
export async function allSettled<T>(work: Iterable<Promise<T>>): Promise<T[]> {
  const outcomes = await Promise.allSettled(work);
  return outcomes.map((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  });
}
