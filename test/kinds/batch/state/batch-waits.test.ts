import {
  addWait,
  type BatchWaitsState,
  beginMessage,
  endMessage,
  isWait,
} from '../../../../src/kinds/batch/state/batch-waits';
import type { UnlinkedWait } from '../../../../src/loop/page/wait-notice';

const wait = (number: number): UnlinkedWait => ({
  id: `wait-${number}`,
  reminder: false,
  workflowId: `batch/${number}`,
  runId: 'run',
  what: 'a review',
  version: 1,
  outcome: 'fail',
  score: null,
  since: '2026-11-26T09:00:00.000Z',
  until: '2026-11-27T09:00:00.000Z',
  text: { sha256: '', bytes: 0 },
});

describe('waits of the items of a batch', () => {
  test('are listed up to 50 in a message, and the others counted', () => {
    const state: BatchWaitsState = {};
    for (let number = 0; number < 60; number += 1) addWait(state, wait(number));
    const message = beginMessage(state, { since: 1, number: 1 })!;
    expect(message.listed.map(({ id }) => id)).toEqual(Array.from({ length: 50 }, (_, number) => `wait-${number}`));
    expect(message).toMatchObject({ since: 1, number: 1, more: 10 });
  });

  test('a message that was begun stays the same until it ended, also in the next run; later waits are of the next', () => {
    const state: BatchWaitsState = {};
    addWait(state, wait(1));
    const message = beginMessage(state, { since: 1, number: 1 });
    addWait(state, wait(2));
    const next = structuredClone(state);
    expect(beginMessage(next, { since: 2, number: 2 })).toEqual(message);
    endMessage(next);
    expect(beginMessage(next, { since: 2, number: 2 })).toMatchObject({ number: 2, more: 0 });
    endMessage(next);
    expect(beginMessage(next, { since: 3, number: 3 })).toBeUndefined();
  });

  test('anything else that is sent is not a wait', () => {
    expect(isWait(wait(1))).toBe(true);
    // No version is under review where a step asks.
    const { text: _text, ...asks } = wait(1);
    expect(isWait(asks)).toBe(true);
    expect([undefined, null, 'wait', {}, { ...wait(1), text: 'it' }, [wait(1)]].some(isWait)).toBe(false);
  });
});
