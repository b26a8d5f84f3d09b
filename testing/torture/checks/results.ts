import type { TortureRecord } from '../record';
import { finished } from './chain';
import type { Violation } from './violation';

/** Differs between two runs of the same loop, and says nothing about it: times, and the attempts of calls. */
const TIMES = new Set(['timestamp', 'executionTime', 'ms', 'at', 'startedAt', 'endedAt', 'attempt']);

function withoutTimes(key: string, value: unknown): unknown {
  return TIMES.has(key) ? undefined : value;
}

function firstDifference(one: string, other: string): string {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  const around = (text: string): string => text.slice(Math.max(0, at - 60), at + 60);
  return `…${around(one)}… instead of …${around(other)}…`;
}

/** Loops that nobody steered end as they do where nothing is killed. */
export function checkResults(record: TortureRecord): Violation[] {
  const loops = new Map(record.loops.map((loop) => [loop.workflowId, loop]));
  return finished(record).flatMap(({ chain, result }): Violation[] => {
    const loop = loops.get(chain.workflowId);
    if (!loop || loop.steered) return [];
    const expected = record.faultFree[loop.loop];
    const where = chain.workflowId;
    if (!expected) return [{ invariant: 'result', where, message: 'there is no result to compare it with' }];
    const [seen, wanted] = [JSON.stringify(result, withoutTimes), JSON.stringify(expected, withoutTimes)];
    return seen === wanted ? [] : [{ invariant: 'result', where, message: firstDifference(seen, wanted) }];
  });
}
