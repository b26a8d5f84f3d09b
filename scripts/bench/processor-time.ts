import { readFileSync } from 'node:fs';

/** Linux counts the time of processes in these, on all architectures that Node runs on. */
const TICKS_A_SECOND = 100;

/** Milliseconds of processor time that a process has used; undefined where the system does not say. */
export function processorMs(pid: number): number | undefined {
  try {
    // The name of the program, in parentheses, may hold spaces.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
    return ((Number(fields[11]) + Number(fields[12])) * 1_000) / TICKS_A_SECOND;
  } catch {
    return undefined;
  }
}
