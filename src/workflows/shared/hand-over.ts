import { type ContinueAsNewOptions, makeContinueAsNewFunc, type Workflow } from '@temporalio/workflow';
import { isFull } from '../../loop/limits/run-account';
import type { InputLimit } from '../../lib/limits/payload-limit';
import { historyLength, isContinueAsNewSuggested } from './clock';
import { waitUntilEndFits } from './scheduling';
import { isBoundToBuild } from './versioning';

export function handOverCircumstances(): { isSuggested: boolean; isBoundToBuild: boolean; isFull: boolean } {
  return {
    isSuggested: isContinueAsNewSuggested(),
    isBoundToBuild: isBoundToBuild(),
    isFull: isFull(historyLength()),
  };
}

/** Ends this run; a new one of the same chain takes over. Loops decide when in `workflows/loop`. */
export async function handOver<Type extends Workflow>(
  options: ContinueAsNewOptions,
  limit: InputLimit,
  ...args: Parameters<Type>
): Promise<never> {
  await waitUntilEndFits(args, limit);
  return makeContinueAsNewFunc<Type>(options)(...args);
}
