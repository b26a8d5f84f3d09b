import { CancellationScope, isCancellation } from '@temporalio/workflow';
import type { HandlerContext } from './loop-messages';

/** True where a person ended what ran in the scope, and not somebody the whole run. */
export function isEndedByPerson(scope: CancellationScope): boolean {
  return scope.consideredCancelled && !scope.parent?.consideredCancelled;
}

/**
 * Prepares a loop, which may wait long for a worker that has what it needs.
 *
 * @returns undefined where a person aborted the run meanwhile
 */
export async function unlessAborted<T>(context: HandlerContext, prepare: () => Promise<T>): Promise<T | undefined> {
  if (context.state.commands.abort) return undefined;
  const scope = new CancellationScope();
  context.endPreparing = () => scope.cancel();
  try {
    return await scope.run(prepare);
  } catch (error) {
    if (!isEndedByPerson(scope) || !isCancellation(error)) throw error;
    return undefined;
  } finally {
    delete context.endPreparing;
  }
}
