import { openSync, readSync } from 'node:fs';

/** Linux tells of a thread how many nanoseconds it had a processor, and how many it stood in line for one. */
const FILE = '/proc/thread-self/schedstat';
const NUMBERS = Buffer.alloc(64);

/** Kept open: what is measured takes some microseconds itself. Undefined where the system does not tell. */
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

/** Milliseconds that this thread had a processor; those of the whole process where the system does not tell of threads. */
export function threadMilliseconds(): number {
  if (!isAsked) open();
  if (descriptor !== undefined) return nanoseconds().ran / 1e6;
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** What a thread had of time: on a processor, and in line for one, in milliseconds. */
export interface ThreadTimes {
  ranMs: number;
  waitedMs: number;
}

/** The times of this thread so far. Nothing waited where the system does not tell. */
export function threadTimes(): ThreadTimes {
  const ranMs = threadMilliseconds();
  return { ranMs, waitedMs: descriptor === undefined ? 0 : nanoseconds().waited / 1e6 };
}

/** Whether this thread has stood in line for a processor longer than it had one, since then: others have the machine. */
export function isStarvedSince({ ranMs, waitedMs }: ThreadTimes): boolean {
  const now = threadTimes();
  return now.waitedMs - waitedMs > now.ranMs - ranMs;
}
