import type { KillRecord, SendRecord, StallRecord, TortureRecord } from '../record';
import { activitiesOf, activityKey } from './chain';
import type { Violation } from './violation';

/** What was sent just before the end of a worker, or while the provider stood still, reaches it a moment after that. */
const LATE_MS = 500;

/** What docs/guarantees.md promises: a stall of 3 s repeats nothing. Only longer ones may look like a death. */
const DEADLY_STALL_MS = 3_000;

/**
 * Returns whether a kill explains that a call was sent again: it came between the two, and met this call's worker or the
 * server.
 */
function explains(kill: KillRecord, send: SendRecord, again: SendRecord): boolean {
  if (kill.at > again.at) return false;
  if (kill.what === 'server') return kill.until >= send.at;
  return kill.worker === send.worker && kill.until >= send.at - LATE_MS;
}

/** Returns whether a machine that was too busy explains it: without heartbeats a worker counts as dead. */
function excuses({ what, worker, at, until }: StallRecord, send: SendRecord, again: SendRecord): boolean {
  const between = until >= send.at - LATE_MS && at <= again.at;
  return between && until - at >= DEADLY_STALL_MS && (what !== 'worker' || worker === send.worker);
}

function sendsOf(sends: readonly SendRecord[], { kills, stalls }: TortureRecord): Violation[] {
  const ordered = [...sends].sort((one, other) => one.at - other.at);
  return ordered.slice(1).flatMap((again, index): Violation[] => {
    const send = ordered[index]!;
    if (kills.some((kill) => explains(kill, send, again))) return [];
    if (stalls.some((stall) => excuses(stall, send, again))) return [];
    const times = `attempts ${send.attempt} (${send.worker}) and ${again.attempt} (${again.worker}), ${again.at - send.at} ms apart`;
    return [
      { invariant: 'oversent', where: send.call, message: `sent twice and nothing was killed in between: ${times}` },
    ];
  });
}

/**
 * A call is sent once, and once more for each kill that met it in flight, or stall that looked like one; and only for an
 * activity that was scheduled.
 */
export function checkSends(record: TortureRecord): Violation[] {
  const { chains, sends } = record;
  const known = new Set(chains.flatMap(activitiesOf).map(activityKey));
  const calls = new Map<string, SendRecord[]>();
  for (const send of sends) calls.set(send.call, [...(calls.get(send.call) ?? []), send]);
  const strangers = sends.filter((send) => !known.has(activityKey(send)));
  return [
    ...strangers.map(({ call, worker }): Violation => {
      return { invariant: 'oversent', where: call, message: `${worker} sent it, and no history knows its activity` };
    }),
    ...[...calls.values()].flatMap((one) => sendsOf(one, record)),
  ];
}
