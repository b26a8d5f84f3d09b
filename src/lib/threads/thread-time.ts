import { openSync, readSync } from 'node:fs';

/** The file in which Linux reports for how many nanoseconds a thread had a processor, and for how many it waited for one. */
const FILE = '/proc/thread-self/schedstat';
const NUMBERS = Buffer.alloc(64);

/** The open file: a measurement itself takes some microseconds. Undefined if the system does not report the times. */
let descriptor: number | undefined;
let isAsked = false;

function nanoseconds(): { ran: number; waited: number } {
  const length = readSync(descriptor!, NUMBERS, 0, NUMBERS.length, 0);
  const [ran = 0, waited = 0] = NUMBERS.toString('latin1', 0, length).split(' ').map(Number);
  return { ran, waited };
}

function open(): void {
  isAsked = true;
  try {
    descriptor = openSync(FILE, 'r');
    // Zero where the kernel was built without it.
    if (!(nanoseconds().ran > 0)) descriptor = undefined;
  } catch {
    descriptor = undefined;
  }
}

/** Milliseconds that this thread had a processor, or the whole process where threads are not timed. */
export function threadMilliseconds(): number {
  if (!isAsked) open();
  if (descriptor !== undefined) return nanoseconds().ran / 1e6;
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** The times of a thread: on a processor, and waiting for one, in milliseconds. */
interface ThreadTimes {
  ranMs: number;
  waitedMs: number;
}

/** Returns the times of this thread so far. The time of waiting is 0 if the system does not report it. */
export function threadTimes(): ThreadTimes {
  const ranMs = threadMilliseconds();
  return { ranMs, waitedMs: descriptor === undefined ? 0 : nanoseconds().waited / 1e6 };
}

/** Whether this thread has waited for a processor longer than it had one, since then: other processes use the machine. */
export function isStarvedSince({ ranMs, waitedMs }: ThreadTimes): boolean {
  const now = threadTimes();
  return now.waitedMs - waitedMs > now.ranMs - ranMs;
}
