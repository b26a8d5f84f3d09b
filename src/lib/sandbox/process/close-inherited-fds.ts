import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';
import type { StdioOptions } from 'node:child_process';

const CLOSED_ON_EXEC = 0o2000000;
/** A table of descriptors for more would cost more than what it is for. */
const HIGHEST = 4_096;

/**
 * Returns the descriptors from `first` on that every program would get that this process starts. Node closes those that
 * it was itself started with only up to the sixteenth; a shell gives `<(secret)` as the 63rd.
 */
function inheritable(first: number): number[] {
  try {
    return readdirSync('/proc/self/fdinfo')
      .map(Number)
      .filter((descriptor) => descriptor >= first && descriptor <= HIGHEST && isInheritable(descriptor));
  } catch {
    return [];
  }
}

function isInheritable(descriptor: number): boolean {
  try {
    const [, flags] = /^flags:\s*([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8')) ?? [];
    return flags !== undefined && (Number.parseInt(flags, 8) & CLOSED_ON_EXEC) === 0;
  } catch {
    // It was the one that the folder was read with.
    return false;
  }
}

/** Starts a program that has these descriptors, and nothing instead of all others that it would inherit. */
export function withOnly<Started>(
  descriptors: readonly ('ignore' | 'pipe')[],
  start: (stdio: StdioOptions) => Started,
) {
  const others = inheritable(descriptors.length);
  if (others.length === 0) return start([...descriptors]);
  const nothing = openSync('/dev/null', 'r');
  try {
    const length = Math.max(...others) + 1;
    return start(
      Array.from({ length }, (_, at) => descriptors[at] ?? (others.includes(at) ? nothing : ('ignore' as const))),
    );
  } finally {
    closeSync(nothing);
  }
}
