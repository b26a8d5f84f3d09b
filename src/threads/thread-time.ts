import { openSync, readSync } from 'node:fs';

/** Linux tells of a thread how many nanoseconds it had a processor, and how many it stood in line for one. */
const FILE = '/proc/thread-self/schedstat';
const NUMBERS = Buffer.alloc(64);

/** Kept open: what is measured takes some microseconds itself. Undefined where the system does not tell. */
let descriptor: number | undefined;
let isAsked = false;

function nanoseconds(): number {
  const length = readSync(descriptor!, NUMBERS, 0, NUMBERS.length, 0);
  return Number.parseInt(NUMBERS.toString('latin1', 0, length), 10);
}

function open(): void {
  isAsked = true;
  try {
    descriptor = openSync(FILE, 'r');
    // Zero where the kernel was built without it.
    if (!(nanoseconds() > 0)) descriptor = undefined;
  } catch {
    descriptor = undefined;
  }
}

/** Milliseconds that this thread had a processor; those of the whole process where the system does not tell of threads. */
export function threadMilliseconds(): number {
  if (!isAsked) open();
  if (descriptor !== undefined) return nanoseconds() / 1e6;
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
