import { threadMilliseconds } from '../../../src/lib/threads/thread-time';

/** What the tests of threads have done there; see src/lib/threads/offload.ts. */

export function double({ value }: { value: number }): number {
  return value * 2;
}

export function fail({ message }: { message: string }): never {
  throw Object.assign(new Error(message), { name: 'Peculiar' });
}

export function nothing(): undefined {
  return undefined;
}

/** Takes time that doubles with each letter, inside of a regular expression. */
export function backtrack({ letters }: { letters: number }): boolean {
  return /^(a+)+$/.test(`${'a'.repeat(letters)}b`);
}

export function fill(): number {
  const held: number[][] = [];
  for (;;) held.push(Array.from({ length: 1_000 }, (_, index) => index));
}

/** Milliseconds of a processor, however long the thread waits for one, and nothing that could be held against it. */
export function work({ milliseconds }: { milliseconds: number }): string {
  const until = threadMilliseconds() + milliseconds;
  while (threadMilliseconds() < until);
  return 'done';
}

export function secrets(): string[] {
  return Object.keys(process.env);
}

/** One that takes longer than any time limit: nothing interrupts it. */
export function sleep({ milliseconds }: { milliseconds: number }): string {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
  return 'slept';
}
