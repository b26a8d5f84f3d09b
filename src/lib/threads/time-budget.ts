import { AsyncLocalStorage } from 'node:async_hooks';
import { TimeLimitExceeded } from './time-limit';

/** The time that checks have together is over. */
export class TimeBudgetExceeded extends TimeLimitExceeded {
  override name = 'TimeBudgetExceeded';
  /** JSON Pointer of what was being checked. */
  place = '';
}

/** Runs a check of the part of a whole at a path, and names that path if it takes too long. */
export async function checkAt<Result>(path: string, check: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await check();
  } catch (error) {
    if (error instanceof TimeBudgetExceeded) error.place = `${path}${error.place}`;
    throw error;
  }
}

/** A time budget for many checks together. Time that other work takes meanwhile, and waiting for a thread, does not count. */
export class TimeBudget {
  #leftMs: number;

  /** @param totalMs milliseconds of a processor */
  constructor(
    readonly totalMs: number,
    readonly signal?: AbortSignal,
  ) {
    this.#leftMs = totalMs;
  }

  /** Returns the milliseconds that are left. Throws TimeBudgetExceeded when there are none. */
  get leftMs(): number {
    if (this.#leftMs <= 0) throw this.makeError();
    return this.#leftMs;
  }

  spend(milliseconds: number): void {
    this.#leftMs -= milliseconds;
  }

  makeError(): TimeBudgetExceeded {
    this.#leftMs = 0;
    return new TimeBudgetExceeded(`took longer than ${this.totalMs} ms`);
  }
}

const storage = new AsyncLocalStorage<TimeBudget>();

/** The budget of checks without a common budget; each has a shorter limit of its own. */
const LONE_MS = 60_000;

export function currentBudget(): TimeBudget {
  return storage.getStore() ?? new TimeBudget(LONE_MS);
}

export async function runWithinTimeBudget<Result>(budget: TimeBudget, work: () => Promise<Result>): Promise<Result> {
  return storage.run(budget, work);
}
