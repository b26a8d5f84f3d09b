/** Each call has its own limits (`payload-limit.ts`); here are those of calls side by side, which add up in message and history. */

/** Bytes that one workflow task schedules: the server ends a run whose answer is over 4 MiB; the rest is for all around payloads. */
export const TASK_BYTES = 3_000_000;

export const PENDING_CALLS = 500;

/** Calls scheduled together tend to end together, and a worker has ten seconds for a task, replay included. */
export const CALLS_OF_TASK = 150;

/** The length of the history of a run. A run learns of it with each workflow task. */
export interface HistoryLength {
  bytes: number;
  events: number;
}

const MIB = 1_024 * 1_024;

/** The server terminates a run at 50 MiB or 51,200 events; the rest has room for an answer to a caller and the run's result. */
export const HISTORY_END: HistoryLength = { bytes: 45 * MIB, events: 49_000 };

/** The length of a history at which a run that no other run can take over begins no further iteration, task or node. */
export const FULL_HISTORY: HistoryLength = { bytes: 40 * MIB, events: 45_000 };

/** The length at which a run begins nothing new inside a workflow of a user, which has more to do than our loops. */
export const FULL_FOR_GUESTS: HistoryLength = { bytes: 30 * MIB, events: 30_000 };

/** The number of events of a call: those of the call itself, and of the workflow task that follows its end. */
export const EVENTS_OF_CALL = 6;

/** @param step the most that one step has brought so far: another one like it must still fit */
export function isFull(
  history: HistoryLength,
  full: HistoryLength = FULL_HISTORY,
  step: HistoryLength = { bytes: 0, events: 0 },
): boolean {
  if (history.bytes >= full.bytes || history.events >= full.events) return true;
  return history.bytes + step.bytes > HISTORY_END.bytes || history.events + step.events > HISTORY_END.events;
}

export interface CallLoad {
  /** The bytes of its arguments in the history; 0 for a local activity, which leaves only its result there. */
  bytes: number;
  resultBytes: number;
  /** A local activity: its result goes out with the answer to the workflow task in which it ends. */
  local?: true;
}

/** The requests of a run, and the calls that it still waits for. */
export interface RunAccount {
  history: HistoryLength;
  taskBytes: number;
  /** Bytes that the reported length may lack: the server reports it without the events of the transaction that began the task. */
  uncountedBytes: number;
  /** The number of calls that the present task schedules already; local activities do not count. */
  taskCalls: number;
  pending: number;
  pendingBytes: number;
  localBytes: number;
}

export function emptyAccount(): RunAccount {
  return {
    history: { bytes: 0, events: 0 },
    taskBytes: 0,
    uncountedBytes: 0,
    taskCalls: 0,
    pending: 0,
    pendingBytes: 0,
    localBytes: 0,
  };
}

/** Takes note of how long the history is. It grows with each workflow task, and within one it stays. */
export function lookAtHistory(account: RunAccount, history: HistoryLength): void {
  if (history.events === account.history.events) return;
  account.history = history;
  account.uncountedBytes = account.taskBytes;
  account.taskBytes = 0;
  account.taskCalls = 0;
}

/** The length of the history, with the part that the server has not counted yet, and without pending calls. */
export function lengthSoFar({ history, taskBytes, uncountedBytes }: RunAccount): HistoryLength {
  return { bytes: history.bytes + taskBytes + uncountedBytes, events: history.events };
}

/** `next_task`: with the next message; `later`: after another call; `never`: nothing that makes room is under way. */
type Admission = 'now' | 'next_task' | 'later' | 'never';

export function admission(account: RunAccount, load: CallLoad): Admission {
  const { history, taskBytes, uncountedBytes, taskCalls, pending, pendingBytes, localBytes } = account;
  const waits = pending > 0 || localBytes > 0;
  const bytes = lengthSoFar(account).bytes + pendingBytes + localBytes + load.bytes + load.resultBytes;
  const events = history.events + EVENTS_OF_CALL * (pending + 1);
  if (bytes > HISTORY_END.bytes || events > HISTORY_END.events) {
    if (waits) return 'later';
    // The next task will report the length of the history with it.
    return taskBytes + uncountedBytes > 0 ? 'next_task' : 'never';
  }
  if (!load.local && pending >= PENDING_CALLS) return 'later';
  if (!load.local && taskCalls >= CALLS_OF_TASK) return 'next_task';
  const sent = load.local ? load.resultBytes : load.bytes;
  const before = taskBytes + localBytes;
  if (before === 0 || before + sent <= TASK_BYTES) return 'now';
  return taskBytes > 0 ? 'next_task' : 'later';
}

export function enterCall(account: RunAccount, { bytes, resultBytes, local }: CallLoad): void {
  if (local) {
    account.localBytes += resultBytes;
    return;
  }
  account.taskBytes += bytes;
  account.taskCalls += 1;
  account.pending += 1;
  account.pendingBytes += resultBytes;
}

/** @param sentBytes of a local activity: the bytes that it returned, which the present task sends */
export function leaveCall(account: RunAccount, { resultBytes, local }: CallLoad, sentBytes = 0): void {
  if (local) {
    account.localBytes -= resultBytes;
    account.taskBytes += sentBytes;
    return;
  }
  account.pending -= 1;
  account.pendingBytes -= resultBytes;
  account.uncountedBytes += resultBytes;
}

/** Whether the result of a run fits into its last workflow task, beside the bytes that the task sends already. */
export function fitsIntoTask({ taskBytes }: RunAccount, bytes: number): boolean {
  return taskBytes === 0 || taskBytes + bytes <= TASK_BYTES;
}
