import type { NotedRecord, SendRecord, TortureRecord } from '../record';
import { activityKey } from './chain';
import type { Violation } from './violation';

/** An id that the server had for an activity before this call began another response. */
function knownBefore(send: SendRecord, handed: readonly Handed[], noted: readonly NotedRecord[]): string | undefined {
  if (send.given !== undefined) return `its attempt ${send.attempt} was handed ${send.given}`;
  const earlier = handed.find(({ attempt }) => attempt < send.attempt);
  if (earlier) return `its attempt ${earlier.attempt} was handed ${earlier.given}`;
  const seen = noted.find(({ response, at }) => at < send.at && response !== send.response);
  return seen && `the server was seen to have ${seen.response} ${send.at - seen.at} ms before`;
}

type Handed = { runId: string; activityId: string; attempt: number; given: string };

function byActivity<T extends { runId: string; activityId: string }>(values: readonly T[]): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const value of values) groups.set(activityKey(value), [...(groups.get(activityKey(value)) ?? []), value]);
  return groups;
}

/**
 * A call in the background is not paid for again once its id has reached the server in a heartbeat: whoever makes the next
 * attempt asks for that response. That the server had it is known from what it handed to attempts, and from asking it.
 * The model of a torture run never fails, forgets or empties a response, which would be reasons to begin another.
 */
export function checkBackground({ sends, asked, noted }: TortureRecord): Violation[] {
  const handed = byActivity(
    [...sends, ...asked].flatMap(({ runId, activityId, attempt, given }): Handed[] =>
      given === undefined ? [] : [{ runId, activityId, attempt, given }],
    ),
  );
  const seen = byActivity(noted);
  return sends.flatMap((send): Violation[] => {
    const key = activityKey(send);
    const known = knownBefore(send, handed.get(key) ?? [], seen.get(key) ?? []);
    if (known === undefined) return [];
    const message = `attempt ${send.attempt} (${send.worker}) paid for ${send.response ?? 'an answer'} though ${known}`;
    return [{ invariant: 'paid-again', where: send.call, message }];
  });
}
