import { Context, type Info } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { CodeFailed } from '../../actions/inline-code';
import { UnknownAction } from '../../actions/registry';
import type { ActionAttempt } from '../../actions/types';
import { ExternalUnavailable } from '../../lib/external';
import { UnknownModelError } from '../../lib/models/reply-error';
import type { Models, BackgroundResponse } from '../../lib/models/types';
import { redact } from '../../lib/redact';
import { withFenceKey } from '../../lib/templates';
import { TimeBudget, runWithinTimeBudget } from '../../lib/threads/time-budget';
import type { ActivityDependencies } from '../dependencies';
import {
  boundedFailure,
  isUnknownHere,
  permanentFailure,
  toApplicationFailure,
  unavailableFailure,
  unknownHereFailure,
} from '../failures';
import { messageOf } from '../../lib/base/message-of';
import { STEP_MILLISECONDS } from './check-times';
import { PromptKeeper } from '../prompts/prompt-keeper';
import { withHeartbeat } from './heartbeat';
import { type RetryDetails, RetryTime } from './retry-time';
import { assertNotStalled, wasStalled } from './stalls';
import { storedResult } from './store-result';
import { LiveText, type TextPlace } from './streamed-text';
import { markTimed, stampTime } from './timed';
import { temporal } from '@temporalio/proto';
import { omitUndefined } from '../../lib/base/defined';
import { addUsage } from '../../lib/base/tokens';
import { countedError, type UnusedReplies, countUnused } from '../../lib/models/paid';
import { leftOfSchedule } from './schedule-time';

const { PENDING_ACTIVITY_STATE_CANCEL_REQUESTED: CANCEL_REQUESTED } = temporal.api.enums.v1.PendingActivityState;

interface CallDetails {
  responseId?: string;
  code?: string;
  unused?: UnusedReplies;
}

/** Less time than this is not enough for another attempt. */
const TOO_LATE_MS = 1_000;

interface CallPlace {
  remember(details: CallDetails): void;
  onText?: ((piece: string) => void) | undefined;
  retries: RetryTime;
  /** By `performance.now()`. */
  startedAt: number;
}

/** The next attempt finds a call in the background, and what earlier unused replies cost. */
function resumableModels(models: Models, { remember, onText, retries, startedAt }: CallPlace): Models {
  const { info } = Context.current();
  const { heartbeatDetails } = info;
  const { responseId: id, code: earlierCode, unused: before } = (heartbeatDetails ?? {}) as CallDetails;
  return {
    ...models,
    earlierCode,
    async call(request) {
      assertNotStalled(info, startedAt);
      const background: BackgroundResponse = {
        id,
        began: (responseId) => remember(omitUndefined({ responseId, code: request.code })),
        isWanted: () => isWanted(retries),
      };
      try {
        const reply = await models.call({ ...request, background, ...(onText && { onText }) });
        return before ? { ...reply, usage: addUsage(before.usage, reply.usage) } : reply;
      } catch (error) {
        const unused = countUnused(error, before);
        if (unused && unused !== before) remember({ unused });
        throw countedError(error, unused);
      }
    },
  };
}

/** Whether another attempt will ask for the response. If that is not known, the response is left alone. */
async function isWanted(retries: RetryTime): Promise<boolean> {
  const { cancellationSignal, cancellationDetails: why, info } = Context.current();
  if (!cancellationSignal.aborted) {
    return retries.allows(TOO_LATE_MS) && leftOfSchedule(info, retries.attemptMs) > TOO_LATE_MS;
  }
  if (why?.cancelRequested) return false;
  // The server no longer knows this attempt: its run is over, or another attempt has taken its place.
  if (why?.notFound || why?.timedOut) return isPending().catch(() => true);
  return true;
}

async function isPending(): Promise<boolean> {
  const { client, info } = Context.current();
  const { workflowId, runId } = info.workflowExecution!;
  const { status, raw } = await client.workflow.getHandle(workflowId, runId).describe();
  const mine = raw.pendingActivities?.find(({ activityId }) => activityId === info.activityId);
  return status.name === 'RUNNING' && mine !== undefined && mine.state !== CANCEL_REQUESTED;
}

const FAILURE_CHARACTERS = 2_000;

type FailureKind = 'StepFailed' | 'Model';

export interface Guarded {
  models: Models;
  signal: AbortSignal;
  attempt?: ActionAttempt;
}

interface Attempt {
  readonly kind: FailureKind;
  readonly info: Info;
  readonly signal: AbortSignal;
  /** By `performance.now()`. */
  readonly startedAt: number;
  readonly retries: RetryTime;
  readonly live: LiveText | undefined;
  readonly largeResults: ActivityDependencies['largeResults'];
  /** Keeps what the model calls were sent; undefined for a worker that does not keep it. */
  readonly keeper: PromptKeeper | undefined;
  readonly fenceKey: string;
  /** Sends a heartbeat with details for the next attempt. Does nothing until heartbeats have begun. */
  remember(details: object): void;
  retryDetails?: RetryDetails;
}

/** A part of the protection of work. It calls `next` once at most. */
type Layer = <T>(attempt: Attempt, next: () => Promise<T>) => Promise<T>;

/** The layers around guarded work, outermost first. */
const LAYERS: readonly Layer[] = [
  markResult,
  closeLiveText,
  beatAndStore,
  convertFailure,
  refuseLate,
  stampResult,
  limitChecks,
  setFenceKey,
];

/** Marks the result as one that says how long its attempt took, so that `timedActivities` adds no second time to it. */
async function markResult<T>(_attempt: Attempt, next: () => Promise<T>): Promise<T> {
  return markTimed(await next());
}

async function closeLiveText<T>({ live }: Attempt, next: () => Promise<T>): Promise<T> {
  try {
    return await next();
  } finally {
    live?.close();
  }
}

async function beatAndStore<T>(attempt: Attempt, next: () => Promise<T>): Promise<T> {
  return withHeartbeat(
    (_signal, remember) => {
      attempt.remember = remember;
      return next();
    },
    (result, began) =>
      storedResult(result, attempt.largeResults, began).catch((error: unknown) => {
        throw limitRetries(attempt, error);
      }),
    () => ({ ...(attempt.retryDetails ?? attempt.retries.details()), ...attempt.live?.details() }),
  );
}

async function convertFailure<T>(attempt: Attempt, next: () => Promise<T>): Promise<T> {
  try {
    return await next();
  } catch (error) {
    throw boundedFailure(limitRetries(attempt, failureOf(error, attempt)));
  }
}

/** Throws before any work where the process stalled, or earlier attempts have used up the time. */
async function refuseLate<T>({ info, startedAt, retries, kind }: Attempt, next: () => Promise<T>): Promise<T> {
  assertNotStalled(info, startedAt);
  retries.assertLeft(kind === 'Model' ? 'Model.Timeout' : 'StepFailed');
  return next();
}

async function stampResult<T>({ startedAt, keeper }: Attempt, next: () => Promise<T>): Promise<T> {
  const result = await next();
  return stampTime(result, startedAt, await keeper?.keep());
}

async function limitChecks<T>({ signal }: Attempt, next: () => Promise<T>): Promise<T> {
  return runWithinTimeBudget(new TimeBudget(STEP_MILLISECONDS, signal), next);
}

async function setFenceKey<T>({ fenceKey }: Attempt, next: () => Promise<T>): Promise<T> {
  return withFenceKey(fenceKey, next);
}

/** Gives an error the failure type that starters can rely on. A cancellation stays one. */
function failureOf(error: unknown, { kind, signal, info }: Attempt): unknown {
  if (signal.aborted || error instanceof ApplicationFailure) return error;
  const { attempt } = info;
  if (error instanceof ExternalUnavailable) return unavailableFailure(error, attempt);
  if (error instanceof UnknownAction) return unknownHereFailure('UnknownAction', redact(error.message), { attempt });
  if (kind === 'Model' || error instanceof UnknownModelError) return toApplicationFailure(error, { attempt });
  const details = error instanceof CodeFailed ? [{ language: error.language, line: error.line ?? null }] : undefined;
  return permanentFailure('StepFailed', redact(messageOf(error), { length: FAILURE_CHARACTERS }), details);
}

function limitRetries(attempt: Attempt, failed: unknown): unknown {
  const { retries } = attempt;
  const { failure, details } = wasStalled(failed)
    ? { failure: failed, details: retries.detailsIfUnspent() }
    : retries.limitFailure(failed);
  attempt.retryDetails = details && isUnknownHere(failed) ? { ...details, ...retries.detailsIfSkipped() } : details;
  // The SDK sends the last heartbeat of an attempt before its failure.
  if (attempt.retryDetails) attempt.remember(attempt.retryDetails);
  return failure;
}

export async function runGuarded<T>(
  kind: FailureKind,
  { models, largeResults, prompts }: Pick<ActivityDependencies, 'models' | 'largeResults' | 'prompts'>,
  input: { idempotencyKey?: string; chain?: string; shows?: TextPlace | undefined },
  work: (given: Guarded) => Promise<T>,
): Promise<T> {
  const { info, cancellationSignal: signal } = Context.current();
  const { idempotencyKey = `${info.workflowExecution?.runId ?? ''}/${info.activityId}`, chain, shows } = input;
  const startedAt = performance.now();
  const retries = new RetryTime(info);
  const live = shows && new LiveText(shows, info.attempt, () => attempt.remember({}));
  const onText = live && ((piece: string) => live.add(piece));
  const fenceKey = chain ?? info.workflowExecution?.runId ?? info.activityId;
  const remember = (): void => undefined;
  const keeper = prompts && new PromptKeeper(prompts);
  const attempt: Attempt = { kind, info, signal, startedAt, retries, live, largeResults, keeper, fenceKey, remember };
  const runWork = (): Promise<T> => {
    const place = { remember: (details: object) => attempt.remember(details), onText, retries, startedAt };
    const resumable = resumableModels(models, place);
    return work({
      models: keeper?.watch(resumable) ?? resumable,
      signal,
      attempt: { attempt: retries.begun, idempotencyKey },
    });
  };
  const run = LAYERS.reduceRight<() => Promise<T>>((next, layer) => () => layer(attempt, next), runWork);
  return run();
}
