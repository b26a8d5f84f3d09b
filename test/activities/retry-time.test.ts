import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import { type FailedCall, withinRetryTime } from '../../src/activities/retry-time';

const RETRY_FOR = 5_000;
const call: FailedCall = {
  scheduledTimestampMs: 1_000,
  scheduleToCloseTimeoutMs: 130_000,
  retryPolicy: { maximumInterval: RETRY_FOR },
};
const busy = ApplicationFailure.create({
  type: 'Model.RateLimited',
  message: 'busy',
  details: [1],
  nextRetryDelay: 2_000,
});

test('D3 a next attempt after retryFor does not come, and its failure keeps what it says', () => {
  expect(withinRetryTime(busy, call, 4_000)).toBe(busy);
  expect(withinRetryTime(busy, call, 4_001)).toMatchObject({
    type: 'Model.RateLimited',
    message: 'busy',
    details: [1],
    nonRetryable: true,
  });
});

test('D3 where the server keeps the time, or there is no next attempt, a failure is as it was', () => {
  const permanent = ApplicationFailure.create({ message: 'no', nonRetryable: true });
  const cancelled = new CancelledFailure('over');
  for (const failure of [permanent, cancelled]) expect(withinRetryTime(failure, call, 1e9)).toBe(failure);
  expect(withinRetryTime(busy, { ...call, scheduleToCloseTimeoutMs: RETRY_FOR }, 1e9)).toBe(busy);
  expect(withinRetryTime(busy, { ...call, retryPolicy: undefined } as unknown as FailedCall, 1e9)).toBe(busy);
});
