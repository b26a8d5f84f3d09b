import { defineSearchAttributeKey, TypedSearchAttributes } from '@temporalio/common';
import { SEARCH_ATTRIBUTES } from '../../src/lib/names/search-attributes';
import { forget, inHistory, isTerminated, type Probe, type Probing, refusal, sendUntilRefused, start } from './probing';
import { SERVER_LIMITS } from './server-limits';

const TOO_LARGE = /exceeds|too large/i;

/** Signals of nearly 2 MiB for a run without a worker, until its history is full. */
async function fillsHistory(probing: Probing): Promise<string | undefined> {
  const handle = await start(probing, probing.unserved, 'waits');
  const bytes = 1_900_000;
  const enough = Math.ceil(SERVER_LIMITS['limit.historySize.error'] / bytes) + 2;
  // The last one is refused, and ends the run.
  await sendUntilRefused(enough, () => handle.signal('large', 'x'.repeat(bytes)), 1);
  const { status } = await handle.describe();
  return status.name === 'TERMINATED'
    ? undefined
    : `the run is ${status.name} after signals of ${enough * bytes} bytes`;
}

/**
 * Sends one more than the server takes. Undefined: one was refused for the reason, and not before nearly all were taken: what came
 * beside the one that is too many may be refused, too.
 */
async function oneTooMany(
  most: number,
  send: (index: number) => Promise<unknown>,
  atATime: number,
  words: RegExp,
): Promise<string | undefined> {
  const { taken, why = 'none was refused' } = await sendUntilRefused(most + 1, send, atATime);
  return taken <= most && taken > most - atATime && words.test(why) ? undefined : `${taken} were taken: ${why}`;
}

async function fillsSignals(probing: Probing): Promise<string | undefined> {
  const handle = await start(probing, probing.unserved, 'waits');
  const most = SERVER_LIMITS['history.maximumSignalsPerExecution'];
  const instead = await oneTooMany(most, () => handle.signal('small', 1), 50, /exceeded.*limit.*signal/i);
  await forget(handle);
  return instead;
}

async function fillsUpdates(probing: Probing, when: 'now' | 'later', most: number): Promise<string | undefined> {
  const handle = await start(probing, probing.served, 'takesUpdates');
  const waitForStage = 'ACCEPTED' as const;
  const send = (): Promise<unknown> =>
    when === 'now'
      ? handle.executeUpdate('update', { args: [when] })
      : handle.startUpdate('update', { args: [when], waitForStage });
  const instead = await oneTooMany(most, send, when === 'now' ? 5 : 1, /limit/i);
  await forget(handle);
  return instead;
}

/** Each limit is seen to refuse something. */
export const PROBES: readonly Probe[] = [
  {
    name: 'a payload of 2 MiB',
    exceeds: (probing) => refusal(() => start(probing, probing.unserved, 'waits', ['x'.repeat(2_200_000)]), TOO_LARGE),
  },
  {
    name: 'a memo of 2 MiB',
    exceeds: (probing) =>
      refusal(
        () => start(probing, probing.unserved, 'waits', [], { memo: { large: 'x'.repeat(2_200_000) } }),
        TOO_LARGE,
      ),
  },
  {
    name: 'a search attribute of 2 KiB',
    exceeds: (probing) => {
      const key = defineSearchAttributeKey(SEARCH_ATTRIBUTES.status, 'KEYWORD');
      const typedSearchAttributes = new TypedSearchAttributes([{ key, value: 'x'.repeat(2_100) }]);
      return refusal(() => start(probing, probing.unserved, 'waits', [], { typedSearchAttributes }), TOO_LARGE);
    },
  },
  {
    name: 'a result of 2 MiB',
    exceeds: (probing) => inHistory(probing, 'returns', [2_200_000], /PAYLOADS_TOO_LARGE|exceeds|too large/i),
  },
  {
    name: 'a message of 4 MiB',
    exceeds: (probing) =>
      inHistory(probing, 'schedules', [5, 1_500_000], /GRPC_MESSAGE_TOO_LARGE|GrpcMessageTooLarge/i),
  },
  {
    name: '2,000 pending activities',
    exceeds: (probing) => inHistory(probing, 'schedules', [2_001, 1], /PENDING_ACTIVITIES_LIMIT_EXCEEDED/),
  },
  {
    name: '2,000 pending children',
    isSlow: true,
    exceeds: (probing) => inHistory(probing, 'startsChildren', [2_001], /PENDING_CHILD_WORKFLOWS_LIMIT_EXCEEDED/),
  },
  {
    name: 'ids of 1,000 characters',
    exceeds: (probing) =>
      refusal(
        () => start(probing, probing.unserved, 'waits', [], { workflowId: 'i'.repeat(1_001) }),
        /exceeds length limit|length/i,
      ),
  },
  {
    name: '10 updates under way',
    exceeds: (probing) => fillsUpdates(probing, 'later', SERVER_LIMITS['history.maxInFlightUpdates']),
  },
  {
    name: '2,000 updates of a run',
    isSlow: true,
    exceeds: (probing) => fillsUpdates(probing, 'now', SERVER_LIMITS['history.maxTotalUpdates']),
  },
  { name: '10,000 signals of a run', isSlow: true, exceeds: fillsSignals },
  { name: 'a history of 50 MiB', exceeds: fillsHistory },
  {
    name: 'a history of 51,200 events',
    isSlow: true,
    exceeds: (probing) => isTerminated(probing, 'fillsEvents'),
  },
];
