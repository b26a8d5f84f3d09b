import type { SendRecord, TortureRecord } from '../record';
import { activitiesOf, activityKey } from './chain';
import type { Violation } from './violation';

interface Recorded {
  key: string;
  attempt: number;
  at: number;
}

/** The answers that histories have, by what was asked for. */
function recordedCalls({ chains, sends }: TortureRecord): Map<string, Recorded[]> {
  const activities = new Map(chains.flatMap(activitiesOf).map((activity) => [activityKey(activity), activity]));
  const recorded = new Map<string, Recorded[]>();
  for (const send of sends) {
    const key = activityKey(send);
    const { outcome, attempt = 1, at = 0 } = activities.get(key) ?? {};
    const known = recorded.get(send.call) ?? [];
    if (outcome !== 'completed' || known.some((one) => one.key === key)) continue;
    recorded.set(send.call, [...known, { key, attempt, at }]);
  }
  return recorded;
}

function repeats(send: SendRecord, { key, attempt, at }: Recorded): boolean {
  return send.at > at || (activityKey(send) === key && send.attempt > attempt);
}

/**
 * An answer that is in a history is never asked for again: not by a later attempt of its activity, not after it was
 * recorded, and not by another activity that asks the same.
 */
export function checkResent(record: TortureRecord): Violation[] {
  const recorded = recordedCalls(record);
  const twice = [...recorded].filter(([, answers]) => answers.length > 1);
  const again = record.sends.filter((send) => recorded.get(send.call)?.some((answer) => repeats(send, answer)));
  return [
    ...twice.map(([call, answers]): Violation => {
      return { invariant: 'resent', where: call, message: `recorded ${answers.length} times` };
    }),
    ...again.map(({ call, attempt, worker }): Violation => {
      const message = `attempt ${attempt} was sent by ${worker} though an answer was recorded`;
      return { invariant: 'resent', where: call, message };
    }),
  ];
}
