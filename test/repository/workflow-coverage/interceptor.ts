import { proxySinks, type WorkflowInterceptors } from '@temporalio/workflow';
import type { CountersOfFiles, RanOfFiles } from './setup';

const { coverage } = proxySinks<{ coverage: { add(ran: RanOfFiles): void } }>();

/** What a counter is set to once it was told: however often it counts from there, it is never told again. */
const TOLD = Number.NEGATIVE_INFINITY;

/** The counters that counted, by their numbers, which have no gaps. Each is told once. */
function ranOf(counters: Record<number, number>): number[] {
  const ran: number[] = [];
  for (let id = 0; counters[id] !== undefined; id += 1) {
    if (counters[id]! <= 0) continue;
    ran.push(id);
    counters[id] = TOLD;
  }
  return ran;
}

function branchesOf(counters: Record<number, Record<number, number>>): [number, number][] {
  const ran: [number, number][] = [];
  for (let id = 0; counters[id] !== undefined; id += 1) {
    for (const arm of ranOf(counters[id]!)) ran.push([id, arm]);
  }
  return ran;
}

/** A workflow has thousands of counters, and many activations: few counters are new after one, and only these are sent. */
function newlyRun(files: CountersOfFiles): RanOfFiles {
  const told: RanOfFiles = {};
  for (const [file, { hash, s, f, b }] of Object.entries(files)) {
    const ran = { hash, s: ranOf(s), f: ranOf(f), b: branchesOf(b) };
    if (ran.s.length + ran.f.length + ran.b.length > 0) told[file] = ran;
  }
  return told;
}

/** Says after each activation what ran in it for the first time in this workflow. */
export const interceptors = (): WorkflowInterceptors => ({
  internals: [
    {
      concludeActivation(input, next) {
        const ran = newlyRun(globalThis.__coverage__ ?? {});
        if (Object.keys(ran).length > 0) coverage.add(ran);
        return next(input);
      },
    },
  ],
});
