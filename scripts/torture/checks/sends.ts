import type { KillRecord, SendRecord, TortureRecord } from '../record';
import { activitiesOf, activityKey } from './chain';
import type { Violation } from './violation';

/** Whether a kill explains that a call was sent again: it came between the two, and met this call's worker or the server. */
function explains(kill: KillRecord, send: SendRecord, again: SendRecord): boolean {
  const between = kill.until >= send.at && kill.at <= again.at;
  return between && (kill.what === 'server' || kill.worker === send.worker);
}

function sendsOf(sends: readonly SendRecord[], kills: readonly KillRecord[]): Violation[] {
  const ordered = [...sends].sort((one, other) => one.at - other.at);
  return ordered.slice(1).flatMap((again, index): Violation[] => {
    const send = ordered[index]!;
    if (kills.some((kill) => explains(kill, send, again))) return [];
    const times = `attempts ${send.attempt} (${send.worker}) and ${again.attempt} (${again.worker}), ${again.at - send.at} ms apart`;
    return [
      { invariant: 'oversent', where: send.call, message: `sent twice and nothing was killed in between: ${times}` },
    ];
  });
}

/** A call is sent once, and once more for each kill that met it in flight; and only for an activity that was scheduled. */
export function checkSends({ chains, sends, kills }: TortureRecord): Violation[] {
  const known = new Set(chains.flatMap(activitiesOf).map(activityKey));
  const calls = new Map<string, SendRecord[]>();
  for (const send of sends) calls.set(send.call, [...(calls.get(send.call) ?? []), send]);
  const strangers = sends.filter((send) => !known.has(activityKey(send)));
  return [
    ...strangers.map(({ call, worker }): Violation => {
      return { invariant: 'oversent', where: call, message: `${worker} sent it, and no history knows its activity` };
    }),
    ...[...calls.values()].flatMap((one) => sendsOf(one, kills)),
  ];
}
