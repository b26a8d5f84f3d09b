import { readFileSync } from 'node:fs';
import { Runtime } from '@temporalio/worker';

/**
 * Descriptors for all that a worker has open beside the connections of its model calls: some 60 when it is idle, and those of its
 * cheap activities, of storage and memory, and of interpreters.
 */
const RESERVED = 160;

/**
 * Returns the number of descriptors that this process may ever have open: Node raises its own limit to this one. Infinity if
 * it is not known.
 */
export function descriptorLimit(limits: () => string = () => readFileSync('/proc/self/limits', 'utf8')): number {
  try {
    const hard = /^Max open files\s+\S+\s+(\S+)/m.exec(limits())?.[1];
    return Number(hard) || Infinity;
  } catch {
    // Not Linux, whose containers are the places with low limits.
    return Infinity;
  }
}

/**
 * Returns how many model calls may be under way at the same time. Each takes a descriptor; and without one Node ends the
 * process, where it would time a template or a pattern, with all calls that are under way.
 *
 * @throws Error when there are not enough for a single call
 */
export function modelCallsWithin(wanted: number, limit = descriptorLimit()): number {
  const room = limit - RESERVED;
  if (wanted <= room) return wanted;
  const advice = `raise the hard limit (\`ulimit -Hn\`, or \`nofile\` of the container) to ${wanted + RESERVED}`;
  if (room < 1) {
    throw new Error(`This process may have ${limit} files and connections open, too few for a worker: ${advice}.`);
  }
  Runtime.instance().logger.warn(
    `This process may have ${limit} files and connections open: ${room} model calls at a time instead of ${wanted}; ${advice}.`,
  );
  return room;
}
