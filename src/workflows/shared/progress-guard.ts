import { workflowInfo } from '@temporalio/workflow';
import { countTurn, MOST_IDLE_TURNS, type TurnMark, type Turns } from '../../lib/base/turns';
import { permanentFailure } from './step-failure';

/**
 * Keeps a loop of workflow code from spinning: a turn waits for something, or it changes the state. A loop that did neither would
 * turn in microtasks until the SDK gives up on the workflow task after 5 s, for ever, and may take the worker's process with it.
 * Such a loop is a bug of ours, and fails only its own run.
 * @returns to be called at each turn with the mark of the state
 * @throws ApplicationFailure `NoProgress`, by what it returns
 */
export function progressGuard(what: string): (mark: TurnMark) => void {
  let turns: Turns | undefined;
  return (mark) => {
    // Either changes when the server gave the run something to do; both are the same in a replay.
    turns = countTurn(turns, [...mark, workflowInfo().historyLength, Date.now()]);
    if (turns.idle < MOST_IDLE_TURNS) return;
    const message = `${what} turned ${turns.idle} times without waiting for anything and without changing anything: this is a mistake in durable-reflection, please report it`;
    throw permanentFailure('NoProgress', message);
  };
}
