import { ActivityFailure, CancellationScope, ChildWorkflowFailure, isCancellation, sleep } from '@temporalio/workflow';
import { queuedLoad, storedBytes } from '../../loop/limits/call-loads';
import {
  admission,
  type CallLoad,
  emptyAccount,
  enterCall,
  fitsIntoTask,
  type HistoryLength,
  leaveCall,
  lengthSoFar,
  lookAtHistory,
  type RunAccount,
} from '../../loop/limits/run-account';
import type { InputLimit } from '../../lib/limits/payload-limit';
import { historyLength, noteEvent, noteLength, now, takeLocalResult, takeResult } from './clock';
import { permanentFailure } from './step-failure';

interface Waiting {
  /** Asked once, when the call comes first: to size what a hundred judges are given takes most of a second. */
  loadOf(): CallLoad;
  load?: CallLoad;
  admit(load: CallLoad): void;
  refuse(error: Error): void;
}

/** The calls that a run has scheduled, and those that wait for their turn, in the order of their arrival. */
interface Gate {
  account: RunAccount;
  queue: Waiting[];
  isWaking: boolean;
}

/** All calls of a run share one gate, several `reflect()` too: see docs/decisions/shared-workflow-code.md. */
const KEY = '__durableReflectionGate';

function gateOfRun(): Gate {
  const own = globalThis as { [KEY]?: Gate };
  const gate = (own[KEY] ??= { account: emptyAccount(), queue: [], isWaking: false });
  lookAtHistory(gate.account, historyLength());
  return gate;
}

/** Measures input: a call that does not fit would be tried for ever. Throws `OutputTooLarge`. */
function measureInput(input: unknown, limit?: InputLimit): number {
  const bytes = storedBytes(input, limit);
  const { mostBytes = Infinity } = limit ?? {};
  if (bytes <= mostBytes) return bytes;
  const message = `what the step is given has ${bytes} bytes; at most ${mostBytes} fit into a run's history`;
  throw permanentFailure('OutputTooLarge', message);
}

function fullHistory(): Error {
  const { bytes, events } = historyLength();
  return permanentFailure(
    'OutputTooLarge',
    `the history of the run is full: it has ${bytes} bytes and ${events} events`,
  );
}

/** Makes the server begin another workflow task by a timer: its calls go out with another message. */
function wakeInNextTask(gate: Gate): void {
  if (gate.isWaking) return;
  gate.isWaking = true;
  const wakeUp = (): void => {
    noteEvent();
    gate.isWaking = false;
    letIn(gateOfRun());
  };
  // A caller that cancels a call which waits here must not leave others without the timer.
  CancellationScope.nonCancellable(() => sleep(1, { summary: 'further calls in the next task' })).then(wakeUp, wakeUp);
}

function letIn(gate: Gate): void {
  for (let [first] = gate.queue; first; [first] = gate.queue) {
    try {
      first.load ??= first.loadOf();
    } catch (error) {
      gate.queue.shift();
      first.refuse(error as Error);
      continue;
    }
    const { load } = first;
    const when = admission(gate.account, load);
    if (when === 'next_task') return wakeInNextTask(gate);
    if (when === 'later') return;
    gate.queue.shift();
    if (when === 'never') {
      first.refuse(fullHistory());
      continue;
    }
    enterCall(gate.account, load);
    first.admit(load);
  }
}

/** Returns whether a failure is an event of its own. What is cancelled may end without one. */
function isEvent(error: unknown): boolean {
  return (error instanceof ActivityFailure || error instanceof ChildWorkflowFailure) && !isCancellation(error);
}

function waitForTurn(gate: Gate, place: Pick<Waiting, 'loadOf' | 'load'>): Promise<CallLoad> {
  const scope = CancellationScope.current();
  return new Promise<CallLoad>((resolve, reject) => {
    const waiting: Waiting = { ...place, admit: resolve, refuse: reject };
    gate.queue.push(waiting);
    letIn(gate);
    scope.cancelRequested.catch((error: Error) => {
      const index = gate.queue.indexOf(waiting);
      if (index < 0 || !scope.consideredCancelled) return;
      gate.queue.splice(index, 1);
      reject(error);
      letIn(gateOfRun());
    });
  });
}

/**
 * Makes a call as soon as it fits: into the message that answers the workflow task, beside what is pending, and into the history.
 * Every activity, local activity and child run of ours goes through here; calls that wait go in the order of their arrival. A
 * call that fits at once is made at once.
 * @param loadOf what the call brings; what it throws is the call's failure
 * @param sent bytes that a local activity's result has in the message
 * @param instead what is done after a failure of the call; by default, the failure is thrown
 * @throws ApplicationFailure `OutputTooLarge` when the history has no room for the call any more
 */
export function scheduleCall<T>(
  loadOf: () => CallLoad,
  call: () => Promise<T>,
  sent: (result: T) => number = () => 0,
  instead?: (error: unknown) => Promise<T>,
): Promise<T> {
  const leave = (load: CallLoad, sentBytes: number): void => {
    const present = gateOfRun();
    leaveCall(present.account, load, sentBytes);
    letIn(present);
  };
  const beginCall = (load: CallLoad): Promise<T> => {
    const began = now();
    return call().then(
      (given) => {
        const result = load.local ? takeLocalResult(given, began) : takeResult(given);
        leave(load, load.local ? sent(result) : 0);
        return result;
      },
      (error: unknown) => {
        if (!load.local && isEvent(error)) noteLength();
        leave(load, 0);
        if (instead) return instead(error);
        throw error;
      },
    );
  };
  const gate = gateOfRun();
  if (gate.queue.length > 0) return waitForTurn(gate, { loadOf }).then(beginCall);
  let load: CallLoad;
  try {
    load = loadOf();
  } catch (error) {
    return Promise.reject(error as Error);
  }
  if (admission(gate.account, load) !== 'now') return waitForTurn(gate, { loadOf, load }).then(beginCall);
  enterCall(gate.account, load);
  return beginCall(load);
}

/** Makes a call by way of a task queue: of an activity or a child run. Throws ApplicationFailure `OutputTooLarge`. */
export function queueCall<T>(
  name: string,
  input: unknown,
  limit: InputLimit | undefined,
  call: () => Promise<T>,
): Promise<T> {
  return scheduleCall(() => queuedLoad(name, measureInput(input, limit), limit), call);
}

/** Bytes are rather too many: they include an estimate of what the server has not counted yet. */
export function filledHistory(): HistoryLength {
  return lengthSoFar(gateOfRun().account);
}

export function noteSent(bytes: number): void {
  gateOfRun().account.taskBytes += bytes;
}

/** Waits until a run's last command, with these contents, fits into the message. */
export async function waitUntilEndFits(ends: unknown, limit: InputLimit): Promise<void> {
  if (fitsIntoTask(gateOfRun().account, storedBytes(ends, limit))) return;
  await CancellationScope.nonCancellable(() => sleep(1, { summary: 'the end in the next task' }));
}

/**
 * Does work side by side, as much at once as makes sense: what would only wait for its turn is not begun, because each promise
 * of a workflow costs time, of which a workflow task has little.
 */
export async function workSideBySide<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const rest = items.entries();
  const takeItems = async (): Promise<void> => {
    for (const [index, item] of rest) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, takeItems));
  return results;
}
