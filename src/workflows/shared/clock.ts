import { workflowInfo } from '@temporalio/workflow';
import type { HistoryLength } from '../../loop/limits/run-account';
import { isTimed } from '../../lib/base/timed-result';

/**
 * The time and the history length by which workflow code may decide. `Date.now()` and the length of the history are those of
 * the workflow task at hand, which is not the same in each replay: see docs/decisions/times-in-results.md. So they are read
 * when something comes that is an event of its own, in every replay: the result of an activity or a child run, a timer, a
 * message. A local activity is not such an event, and reports how long it took.
 */
interface Clock {
  /** Epoch milliseconds. */
  time: number;
  history: HistoryLength;
  isSuggested: boolean;
}

/** In the run's own global object: modules are shared by all runs of a worker, see docs/decisions/shared-workflow-code.md. */
const KEY = '__durableReflectionClock';

function clock(): Clock {
  const own = globalThis as { [KEY]?: Clock };
  // The time of its first event. `runStartTime` is that of the first task, which may be taken for one with those after it.
  return (own[KEY] ??= {
    time: workflowInfo().startTime.getTime(),
    history: { bytes: 0, events: 0 },
    isSuggested: false,
  });
}

/** Returns the time by which decisions are made: epoch milliseconds. It does not change between events, and never goes back. */
export function now(): number {
  return clock().time;
}

/** Returns the time by which decisions are made, as ISO 8601. */
export function timestamp(): string {
  return new Date(now()).toISOString();
}

/** Returns the length of this run's history, now or a moment ago. */
export function historyLength(): HistoryLength {
  return clock().history;
}

export function isContinueAsNewSuggested(): boolean {
  return clock().isSuggested;
}

/** Notes an event of its own whose time is not known. */
export function noteLength(): void {
  noteEvent(0);
}

/** Notes an event of its own at its time, if the event carries it; else that of the workflow task. */
export function noteEvent(at = Date.now()): void {
  const noted = clock();
  const { historyLength: events, historySize: bytes, continueAsNewSuggested } = workflowInfo();
  noted.time = Math.max(noted.time, at);
  noted.history = { bytes, events };
  noted.isSuggested = continueAsNewSuggested;
}

/** Notes the end of a local activity that began at this clock's time, and returns its result. */
export function takeLocalResult<T>(given: T, began: number): T {
  const { value, reflectionMs = 0 } = isTimed(given) ? given : { value: given };
  const noted = clock();
  noted.time = Math.max(noted.time, began + reflectionMs);
  return value as T;
}

/** Notes the end of an activity, or of a child run, and returns its result. */
export function takeResult<T>(given: T): T {
  if (!isTimed(given)) {
    noteEvent();
    return given;
  }
  noteEvent(given.reflectionAt);
  return given.value as T;
}
