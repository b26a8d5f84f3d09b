import { ApplicationFailure, ApplicationFailureCategory, CancelledFailure } from '@temporalio/common';
import { type RetriedCall, RetryTime } from '../../../src/activities/execution/retry-time';

const RETRY_FOR = 5_000;
const LOST = 1_000;

const busy = ApplicationFailure.create({
  type: 'Model.RateLimited',
  message: 'busy',
  details: [1],
  nextRetryDelay: 2_000,
});

/** An attempt with a clock of its own. */
function attemptOf(
  attempt: number,
  heartbeatDetails?: unknown,
  retryFor = RETRY_FOR,
): { retries: RetryTime; pass(ms: number): void } {
  let now = 0;
  const call: RetriedCall = {
    attempt,
    isLocal: false,
    heartbeatDetails,
    heartbeatTimeoutMs: LOST,
    scheduledTimestampMs: 0,
    scheduleToCloseTimeoutMs: 0,
    startToCloseTimeoutMs: 60_000,
    retryPolicy: { maximumInterval: retryFor },
  };
  return { retries: new RetryTime(call, () => now), pass: (ms) => void (now += ms) };
}

test('time counts from the end of the first attempt that failed, however long that one took', () => {
  const first = attemptOf(1);
  first.pass(1e9);
  const { failure, details } = first.retries.limitFailure(busy);
  expect(failure).toMatchObject({ type: 'Model.RateLimited', nextRetryDelay: 2_000 });
  expect((failure as ApplicationFailure).nonRetryable).toBeFalsy();
  expect(details).toEqual({ retried: { attempt: 1, ms: 2_000 } });
});

test('a next attempt after retryFor does not come, and its failure keeps what it says', () => {
  const details = { retried: { attempt: 1, ms: 2_000 } };
  const second = attemptOf(2, details);
  second.pass(1_000);
  expect(second.retries.limitFailure(busy)).toMatchObject({
    failure: { nextRetryDelay: 2_000 },
    details: { retried: { attempt: 2, ms: 5_000 } },
  });
  second.pass(1);
  expect(second.retries.limitFailure(busy)).toEqual({
    failure: expect.objectContaining({
      type: 'Model.RateLimited',
      message: 'busy',
      details: [1],
      nonRetryable: true,
    }) as unknown,
  });
});

test('the long wait for an open circuit leaves time for a last attempt, and the calm of its log', () => {
  const open = (nextRetryDelay: number) =>
    ApplicationFailure.create({
      type: 'Model.CircuitOpen',
      nextRetryDelay,
      category: ApplicationFailureCategory.BENIGN,
    });
  const late = attemptOf(15, { retried: { attempt: 14, ms: 3_400_000 } }, 3_600_000);
  expect(late.retries.limitFailure(open(275_000))).toMatchObject({
    failure: { nextRetryDelay: 200_000, category: 'BENIGN' },
    details: { retried: { attempt: 15, ms: 3_600_000 } },
  });
  late.pass(171_000);
  expect(late.retries.limitFailure(open(275_000))).toMatchObject({ failure: { nonRetryable: true } });
});

test('attempts that were lost without a word count as long as the server waited for their heartbeats', () => {
  expect(() => attemptOf(7).retries.assertLeft('Model.Timeout')).not.toThrow();
  expect(() => attemptOf(8).retries.assertLeft('Model.Timeout')).toThrow(/No attempt came to an end within 6 s/);
  const told = { retried: { attempt: 6, ms: 1_000 } };
  expect(() => attemptOf(11, told).retries.assertLeft('StepFailed')).not.toThrow();
  expect(() => attemptOf(12, told).retries.assertLeft('StepFailed')).toThrow();
  // Each attempt beats once and is lost.
  let details: object = {};
  let attempts = 1;
  for (;;) {
    const { retries } = attemptOf(attempts, details);
    try {
      retries.assertLeft('StepFailed');
    } catch {
      break;
    }
    details = retries.details();
    attempts += 1;
  }
  expect(attempts).toBe(8);
});

test('an attempt that was not made costs no time', () => {
  const told = { retried: { attempt: 2, ms: 3_000 } };
  expect(attemptOf(3, told).retries.detailsIfUnspent()).toEqual({
    retried: { attempt: 3, ms: 3_000 },
    skipped: 1,
  });
  expect(attemptOf(5, { ...told, skipped: 2 }).retries.begun).toBe(3);
  expect(attemptOf(1).retries.detailsIfUnspent()).toEqual({ retried: { attempt: 1, ms: 0 }, skipped: 1 });
});

test('where there is no next attempt a failure is as it was, and one that names no delay gets one', () => {
  const permanent = ApplicationFailure.create({ message: 'no', nonRetryable: true });
  const cancelled = new CancelledFailure('over');
  for (const failure of [permanent, cancelled]) expect(attemptOf(9).retries.limitFailure(failure)).toEqual({ failure });
  const plain = ApplicationFailure.create({ message: 'again' });
  const delays = [1, 2, 3].map((attempt) => {
    const told = { retried: { attempt: attempt - 1, ms: 0 } };
    return attemptOf(attempt, told).retries.limitFailure(plain).failure as ApplicationFailure;
  });
  expect(delays.map(({ nextRetryDelay }) => nextRetryDelay)).toEqual([100, 200, 400]);
  const worded = ApplicationFailure.create({ message: 'again', nextRetryDelay: '3s' });
  expect(attemptOf(1).retries.limitFailure(worded).failure).toMatchObject({ nextRetryDelay: 3_000 });
});
