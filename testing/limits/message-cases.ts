import type { WorkflowHandle } from '@temporalio/client';
import type { JsonObject } from '../../src/lib/json/json';
import { GUIDE_CHARACTERS } from '../../src/loop/base/command-payloads';
import type { LimitCase } from './limit-case';

const MOST_SIGNALS = 10_000;

const WAITING: JsonObject = {
  generator: { action: 'makes', with: { bytes: 500 } },
  evaluator: { type: 'function', action: 'judges', with: {} },
  convergence: false,
  maxIterations: 1,
  review: { when: 'on_exhausted', timeout: '1h' },
};

/** Each of these is aborted when all is sent. */
const ABORTED = ['aborted'] as const;

/** Sends signals, many at a time, as a burst of senders does. */
async function burst(
  handle: WorkflowHandle,
  count: number,
  payload: (index: number) => [string, JsonObject],
): Promise<void> {
  const AT_A_TIME = 50;
  for (let from = 0; from < count; from += AT_A_TIME) {
    const side = Array.from({ length: Math.min(AT_A_TIME, count - from) }, (_, offset) => payload(from + offset));
    await Promise.all(side.map(([name, argument]) => handle.signal(name, argument)));
  }
}

const abort = (handle: WorkflowHandle): Promise<void> => handle.signal('abort', { by: 'limits' });

function early(name: string, count: number, payload: (index: number) => [string, JsonObject]): LimitCase {
  return {
    name: `message ${name} before a worker is there`,
    workflow: 'reflectionLoop',
    argument: WAITING,
    reasons: ABORTED,
    seconds: 120,
    beforeWorker: async ({ handle }) => {
      await burst(handle, count - 1, payload);
      await abort(handle);
    },
  };
}

function late(
  name: string,
  count: number,
  payload: (index: number) => [string, JsonObject],
  spec: JsonObject = {},
): LimitCase {
  return {
    name: `message ${name} while it waits`,
    workflow: 'reflectionLoop',
    argument: { ...WAITING, ...spec },
    reasons: ABORTED,
    seconds: 180,
    meanwhile: async ({ handle }) => {
      await burst(handle, count - 1, payload);
      await abort(handle);
    },
  };
}

/** Updates side by side, as many as the server takes in all; those that it refuses are the server's. */
const updates: LimitCase = {
  name: 'message 2,000 updates',
  workflow: 'reflectionLoop',
  argument: WAITING,
  reasons: ABORTED,
  seconds: 240,
  meanwhile: async ({ handle }) => {
    const send = async (index: number): Promise<void> => {
      await handle.executeUpdate('extend', { args: [{ id: `update ${index}`, tokens: 1 }] }).catch(() => undefined);
    };
    for (let from = 0; from < 2_000; from += 8) {
      await Promise.all(Array.from({ length: 8 }, (_, offset) => send(from + offset)));
    }
    await abort(handle);
  },
};

const guide =
  (length: number) =>
  (index: number): [string, JsonObject] => ['guide', { id: `guide ${index}`, text: `${index} `.padEnd(length, 'g') }];
const extend = (index: number): [string, JsonObject] => ['extend', { id: `extend ${index}`, tokens: 1 }];
const stale = (index: number): [string, JsonObject] => [
  'decide',
  { id: `decide ${index}`, iteration: 9_999, decision: 'stop' },
];
const override =
  (bytes: number) =>
  (index: number): [string, JsonObject] => [
    'override',
    { id: `override ${index}`, output: `${index} `.padEnd(bytes, 'o') },
  ];
const unknown = (index: number): [string, JsonObject] => [`no such command ${index % 7}`, { index }];

/** Messages of the largest size and in the largest number. */
export const MESSAGE_CASES: readonly LimitCase[] = [
  early('10,000 stale decisions', MOST_SIGNALS, stale),
  early('10,000 extensions', MOST_SIGNALS, extend),
  early('2,000 guides of 16,000 characters', 2_000, guide(GUIDE_CHARACTERS)),
  early('9,000 signals that nobody knows', 9_000, unknown),
  early('20 overrides of 1.85 MB', 20, override(1_850_000)),
  late('10,000 extensions', MOST_SIGNALS, extend),
  late('10,000 stale decisions', MOST_SIGNALS, stale),
  late('500 guides of 16,000 characters', 500, guide(GUIDE_CHARACTERS)),
  late('20 overrides of 1 MB', 20, override(1_000_000)),
  late('20 overrides of 1.85 MB with prior versions', 20, override(1_850_000), {
    revision: { includePriorVersions: true },
  }),
  updates,
];
