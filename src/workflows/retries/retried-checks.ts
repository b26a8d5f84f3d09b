import { ActivityFailure, ApplicationFailure, log, sleep, TimeoutFailure } from '@temporalio/workflow';
import { delayBeforeCheck } from '../../loop/limits/check-retries';
import { summaryText } from '../../lib/text/summary-text';
import { noteEvent, now } from '../shared/clock';
import { noteRetry } from '../shared/kept-page';

export interface Retried {
  /** The name of the check, as users read it. */
  what: string;
  failures: number;
  /** By the run's clock: when it was made first. */
  began: number;
}

export function firstAttempt(what: string): Retried {
  return { what, failures: 0, began: now() };
}

function isCutShort(error: unknown): boolean {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  return cause instanceof TimeoutFailure && cause.timeoutType === 'START_TO_CLOSE';
}

function mayPass(error: unknown): boolean {
  return (error instanceof ApplicationFailure && error.nonRetryable !== true) || isCutShort(error);
}

/** Returns whether an error is the failure of a check that was made again for as long as it may be. */
export function isGivenUp(error: unknown): boolean {
  return error instanceof ActivityFailure && mayPass(error.cause);
}

/**
 * Waits before a check that failed is made again, and says meanwhile, on the run's page and in its progress, why. The workflow
 * waits, not the SDK: the SDK would not report the failure, and once its own wait is a timer, or a worker was replaced, it counts
 * the time for all attempts from the latest one. It is not `retryUntil`, whose pauses are timers of Node.
 * @returns the state for the next attempt; undefined when the failure is final
 */
export async function waitForCheck(error: unknown, { what, began, failures }: Retried): Promise<Retried | undefined> {
  if (!mayPass(error)) return undefined;
  const isFailure = error instanceof ApplicationFailure;
  const next = { what, began, failures: failures + 1 };
  const asked = isFailure && typeof error.nextRetryDelay === 'number' ? error.nextRetryDelay : undefined;
  const delay = delayBeforeCheck(next.failures, now() - began, asked);
  if (delay === undefined) return undefined;
  const why = `${what} failed and is tried again: ${isFailure ? error.message : 'it did not end in its time'}`;
  log.warn(why);
  noteRetry(what, why);
  await sleep(delay, { summary: summaryText(`${what} again`) });
  noteEvent();
  return next;
}
