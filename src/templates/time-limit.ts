import { createContext, Script } from 'node:vm';

/** Thrown when synchronous work took longer than it was allowed. */
export class TimeLimitExceeded extends Error {
  override name = 'TimeLimitExceeded';
}

const context = createContext({ work: undefined as unknown });
const script = new Script('work()');

/**
 * Runs synchronous, pure work and interrupts it when it takes too long, even inside a regular expression. Templates and
 * schemas come from strangers: one that never ends would otherwise stop the whole worker. Costs about 40 microseconds.
 */
export function withTimeLimit<Result>(milliseconds: number, work: () => Result): Result {
  try {
    return runOnce(milliseconds, work);
  } catch (error) {
    // The clock also runs while the process is paused or starved, so a single overrun proves nothing.
    if (error instanceof TimeLimitExceeded) return runOnce(milliseconds, work);
    throw error;
  }
}

function runOnce<Result>(milliseconds: number, work: () => Result): Result {
  const outer = context.work;
  context.work = work;
  try {
    return script.runInContext(context, { timeout: milliseconds }) as Result;
  } catch (error) {
    if ((error as { code?: unknown } | null)?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') {
      throw new TimeLimitExceeded(`took longer than ${milliseconds} ms`);
    }
    throw error;
  } finally {
    context.work = outer;
  }
}
