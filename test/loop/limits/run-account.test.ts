import fc from 'fast-check';
import { localLoad, storedBytes } from '../../../src/loop/limits/call-loads';
import {
  admission,
  type CallLoad,
  CALLS_OF_TASK,
  emptyAccount,
  enterCall,
  FULL_FOR_GUESTS,
  FULL_HISTORY,
  HISTORY_END,
  isFull,
  leaveCall,
  lookAtHistory,
  PENDING_CALLS,
  type RunAccount,
  TASK_BYTES,
} from '../../../src/loop/limits/run-account';
import { inputLimit, payloadLimit } from '../../../src/lib/limits/payload-limit';
import { bytesUpTo, jsonBytes } from '../../../src/lib/json/json-bytes';

/** What happened to calls that came one after the other: which went out in which workflow task, and which were refused. */
interface Played {
  /** Indexes of calls, by workflow task. */
  tasks: number[][];
  refused: number[];
  mostPending: number;
  /** Bytes of the history at the end, and the most that it could have been. */
  bytes: number;
}

/**
 * Plays a run as the gate does: the first call that waits goes when it may, and none before it. Each call hands back as much as
 * it may; in each task but the first, the oldest of them end.
 *
 * @param isLate whether the server tells the length of the history without the last transaction, in each task in turn
 */
function play(loads: readonly CallLoad[], endingAtOnce: number, isLate: readonly boolean[] = [false]): Played {
  const account: RunAccount = emptyAccount();
  const played: Played = { tasks: [], refused: [], mostPending: 0, bytes: 0 };
  const queue = loads.map((load, index) => ({ load, index }));
  const pending: CallLoad[] = [];
  let [before, idle] = [0, 0];
  for (let turn = 0; queue.length > 0; turn += 1) {
    const ending = pending.splice(0, endingAtOnce);
    for (const load of ending) played.bytes += load.resultBytes;
    lookAtHistory(account, { bytes: isLate[turn % isLate.length] ? before : played.bytes, events: 3 + 6 * turn });
    before = played.bytes;
    for (const load of ending) leaveCall(account, load);
    const task: number[] = [];
    for (let [first] = queue; first; [first] = queue) {
      const when = admission(account, first.load);
      if (when === 'next_task' || when === 'later') break;
      queue.shift();
      if (when === 'never') {
        played.refused.push(first.index);
        continue;
      }
      enterCall(account, first.load);
      played.bytes += first.load.bytes;
      pending.push(first.load);
      task.push(first.index);
    }
    played.mostPending = Math.max(played.mostPending, pending.length);
    played.tasks.push(task);
    // One task may bring nothing but the length of the history.
    idle = task.length === 0 && pending.length === 0 ? idle + 1 : 0;
    if (idle > 1 && queue.length > 0) throw new Error('it waits for nothing');
  }
  for (const load of pending) played.bytes += load.resultBytes;
  return played;
}

const sizes = fc.oneof(fc.nat(10_000), fc.nat(200_000), fc.nat(2_090_000));
const load = fc.record({ bytes: sizes, resultBytes: sizes });

describe('the account of a run', () => {
  test('no workflow task sends more than its limit unless a single call does; calls go out in order while the history has room', () => {
    // Many of the longer ones are more than a history takes.
    const some = fc.oneof(fc.array(load, { maxLength: 60 }), fc.array(load, { minLength: 90, maxLength: 120 }));
    const late = fc.array(fc.boolean(), { minLength: 1, maxLength: 7 });
    fc.assert(
      fc.property(some, fc.integer({ min: 1, max: 20 }), late, (loads, ending, isLate) => {
        const { tasks, refused, bytes } = play(loads, ending, isLate);
        for (const task of tasks) {
          const sum = task.reduce((total, index) => total + loads[index]!.bytes, 0);
          expect(task.length <= 1 || sum <= TASK_BYTES).toBe(true);
        }
        expect(tasks.flat()).toEqual(loads.map((_, index) => index).filter((index) => !refused.includes(index)));
        expect(bytes).toBeLessThanOrEqual(HISTORY_END.bytes);
        const all = loads.reduce((sum, each) => sum + each.bytes + each.resultBytes, 0);
        expect(refused.length > 0).toBe(all > HISTORY_END.bytes);
      }),
      { numRuns: 300 },
    );
  });

  test('beside all calls, the history has room for an answer and for the result of the run', () => {
    const ends = inputLimit({}).mostBytes + payloadLimit({});
    expect(HISTORY_END.bytes + ends).toBeLessThan(50 * 1_024 * 1_024);
  });

  test('the number of pending calls never exceeds its limit', () => {
    const small = Array.from({ length: 2_700 }, () => ({ bytes: 500, resultBytes: 1_000 }));
    const { tasks, mostPending, refused } = play(small, 100);
    expect([mostPending, tasks.flat().length, refused]).toEqual([PENDING_CALLS, 2_700, []]);
    // Nor does one task schedule more than a worker answers in its time.
    expect(Math.max(...tasks.map(({ length }) => length))).toBe(CALLS_OF_TASK);
  });

  test('results of local activities count in the task in which they end', () => {
    const account = emptyAccount();
    lookAtHistory(account, { bytes: 1_000, events: 3 });
    const local: CallLoad = { bytes: 0, resultBytes: 1_950_000, local: true };
    const next: CallLoad = { bytes: 1_500_000, resultBytes: 0 };
    expect(admission(account, local)).toBe('now');
    enterCall(account, local);
    // It would go out with that result.
    expect([admission(account, local), admission(account, next)]).toEqual(['later', 'later']);
    leaveCall(account, local, 1_900_000);
    expect(admission(account, next)).toBe('next_task');
    leaveCall(account, { ...local, resultBytes: 0 }, -1_000_000);
    expect(admission(account, next)).toBe('now');
    lookAtHistory(account, { bytes: 2_000_000, events: 8 });
    expect(account.taskBytes).toBe(0);
  });

  test('a history is full before the server ends it, and sooner where another step like the largest would not fit', () => {
    const none = { bytes: 0, events: 0 };
    expect(isFull(none)).toBe(false);
    expect(isFull({ ...none, bytes: FULL_HISTORY.bytes })).toBe(true);
    expect(isFull({ ...none, events: FULL_HISTORY.events })).toBe(true);
    expect(isFull({ ...none, bytes: FULL_FOR_GUESTS.bytes }, FULL_FOR_GUESTS)).toBe(true);
    const step = { bytes: 12_000_000, events: 100 };
    expect(isFull({ bytes: HISTORY_END.bytes - step.bytes, events: 5 }, FULL_HISTORY, step)).toBe(false);
    expect(isFull({ bytes: HISTORY_END.bytes - step.bytes + 1, events: 5 }, FULL_HISTORY, step)).toBe(true);
  });
});

describe('bytes of what is sent', () => {
  test('a key without a value counts as one that is not there', () => {
    expect(bytesUpTo({ a: 1, b: undefined, c: { d: undefined } }, 500)).toBe(bytesUpTo({ a: 1, c: {} }, 500));
  });

  test('bytes are counted no further than asked, and never more than a few above those of the JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(500), (value, limit) => {
        const counted = bytesUpTo(value, limit);
        expect(counted).toBeLessThanOrEqual(limit);
        // Each number is counted as 8 bytes, however many digits it has.
        const text = JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'number' ? 0 : inner));
        if (counted < limit)
          expect(counted).toBeGreaterThanOrEqual(text.replace(/\\u[0-9a-f]{4}|\\./g, 'x').length / 3);
      }),
    );
  });

  test('what is stored outside counts as a reference, and all else in whole', () => {
    const value = { text: 'ü'.repeat(1_000_000) };
    expect(storedBytes(value)).toBe(jsonBytes(value));
    expect(storedBytes(value, { mostBytes: 2_090_000 })).toBe(jsonBytes(value));
    expect(storedBytes(value, { storedFromBytes: 64 * 1_024 })).toBe(64 * 1_024);
    expect(storedBytes(value, { storedFromBytes: 700_000 })).toBe(700_000);
    expect(storedBytes('short', { storedFromBytes: 64 * 1_024 })).toBe(7);
  });

  test('a local evaluator may return its output', () => {
    const { resultBytes } = localLoad('evaluate', { output: 'x'.repeat(1_000_000) });
    expect(resultBytes).toBeGreaterThan(1_000_000);
    expect(localLoad('evaluate', { output: 'x' }).resultBytes).toBeLessThan(100_000);
  });
});
