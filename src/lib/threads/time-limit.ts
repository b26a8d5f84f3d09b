import { createContext, Script } from 'node:vm';
import { threadMilliseconds } from './thread-time';

/** Thrown when synchronous work took longer than it was allowed. */
export class TimeLimitExceeded extends Error {
  override name = 'TimeLimitExceeded';
}

const context = createContext({ work: undefined as unknown });
const script = new Script('work()');

/** The share of its limit that work must have had a processor for, to be at fault itself. */
const SHARE_OF_PROCESSOR = 0.75;
const MOST_CHANCES = 8;

let inForceUntil = Infinity;
let interrupted = 0;

/** Counts how often work was interrupted in this thread. Interrupted work is half done. */
export function interruptions(): number {
  return interrupted;
}

/**
 * Runs synchronous, pure work and interrupts it when it takes too long, even inside a regular expression. Templates and schemas
 * are not trusted: one that never ends would otherwise stop the whole worker. Costs about 40 microseconds, and nothing inside of
 * a limit that ends sooner: that one counts for both. The clock also runs while the process is paused or starved: work that had
 * less than three quarters of its limit on a processor, in all its chances together, gets another one: as long again, or up to
 * `patience` times as long if it had so much less than its share; eight at most. The time of other threads of the process does
 * not count: a busy worker's threads take the processor from it, too.
 */
export function withTimeLimit<Result>(milliseconds: number, work: () => Result, patience = 1): Result {
  if (performance.now() + milliseconds >= inForceUntil) return work();
  let limit = milliseconds;
  let hadInAll = 0;
  for (let chance = 1; ; chance += 1) {
    const before = threadMilliseconds();
    try {
      return withTimeLimitOnce(limit, work);
    } catch (error) {
      if (!(error instanceof TimeLimitExceeded)) throw error;
      const had = threadMilliseconds() - before;
      hadInAll += had;
      if (hadInAll > SHARE_OF_PROCESSOR * milliseconds || chance === MOST_CHANCES) throw error;
      limit = Math.round(milliseconds * Math.max(1, Math.min(patience, limit / had)));
    }
  }
}

/** Runs work with a limit by the clock alone: for work that can be done elsewhere. */
export function withTimeLimitOnce<Result>(milliseconds: number, work: () => Result): Result {
  const outer = context.work;
  const outerUntil = inForceUntil;
  context.work = work;
  inForceUntil = Math.min(outerUntil, performance.now() + milliseconds);
  try {
    return script.runInContext(context, { timeout: Math.max(1, Math.ceil(milliseconds)) }) as Result;
  } catch (error) {
    if ((error as { code?: unknown } | null)?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') {
      interrupted += 1;
      throw new TimeLimitExceeded(`took longer than ${milliseconds} ms`);
    }
    throw error;
  } finally {
    context.work = outer;
    inForceUntil = outerUntil;
  }
}
