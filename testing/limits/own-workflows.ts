/** Workflows of somebody's own that reflect inside, beside ours. */
import type { ConvergenceReason } from '../../src/loop/base/convergence';
import { reflect, type ReflectionSpec } from '../../src/workflow';

export {
  breaks,
  fillsEvents,
  passes,
  returns,
  schedules,
  startsChildren,
  takesUpdates,
  waits,
} from './probe-workflows';

/** Characters of an output that are handed back as they are; all that follow are one character. */
const HEAD = 40;

/** What came of a loop inside: its outputs together would be too large for a result. */
export interface InsideResult {
  reason: ConvergenceReason;
  used: number;
  chosen: number | null;
  /** How the output begins, what characters follow, each once, and how long it is. */
  output: { head: string; rest: string; characters: number };
}

/** Several loops side by side in one history. */
export async function reflectsInside(specs: ReflectionSpec[]): Promise<InsideResult[]> {
  const results = await Promise.all(specs.map((spec) => reflect(spec)));
  return results.map(({ convergenceReason, iterationsUsed, history, finalOutput }) => {
    const text = String(finalOutput);
    const rest = [...new Set(text.slice(HEAD))].join('');
    return {
      reason: convergenceReason,
      used: iterationsUsed,
      chosen: history.finalIteration,
      output: { head: text.slice(0, HEAD), rest, characters: text.length },
    };
  });
}
