import { type ActivityOptions, workflowInfo } from '@temporalio/workflow';
import type { LocalActivityOptions, RetryPolicy } from '@temporalio/common';
import type { EvaluateInput, ReflectionActivities } from '../../activities/protocol';
import type { CheckedBefore } from '../../loop/spec/checked-before';
import type { Verdict } from '../../loop/state/evaluation';
import type { LoopSettings } from '../../loop/state/loop-settings';
import { isModelCall } from '../../loop/spec/steps';
import { type InputLimit, inputLimit } from '../../lib/limits/payload-limit';
import { heartbeatTimeoutOf } from '../../lib/limits/recovery';
import { summaryText } from '../../lib/text/summary-text';
import { modelQueue } from '../../lib/names/task-queues';
import type { Evaluator } from '../../loop/contract/evaluators';
import type { InlineStep, Step } from '../../loop/contract/steps';
import { LEAST_LOCAL_MS, LONGEST_LOCAL_WAIT_MS } from '../retries/local-time';
import { localActivities, remoteActivities } from './activity-proxies';
import { now } from './clock';
import { limitTime } from './limits-exceeded';

/** The SDK throws where the longest interval is shorter, however little time a spec leaves for retries. */
const FIRST_RETRY_MS = 100;

const GROWTH = 1.14;

/**
 * Delays after failures come from the activity itself, which knows the provider's Retry-After; the server clamps them to the
 * maximum interval, and so passes `retryFor` on to the activity. The other numbers are for attempts that were lost: the
 * heartbeat timeout has passed already, and a long outage before must not make a run wait for long after a crash.
 */
function retriesFor(retryForMs: number): RetryPolicy {
  return {
    initialInterval: FIRST_RETRY_MS,
    backoffCoefficient: GROWTH,
    maximumInterval: Math.max(FIRST_RETRY_MS, retryForMs),
  };
}

/** The SDK's own timeout of a model call must fire first, so that the failure says what happened. */
const GRACE_MS = 10_000;

const LOCAL_TIMEOUT_MS = 30_000;

/** How a call is made, beside what it is given. */
export interface CallOptions {
  /** Shown in the Web UI's timeline. */
  summary: string;
  /** The time that the time budget leaves, in milliseconds; undefined without a time budget. */
  timeLeftMs?: number | undefined;
  limit?: InputLimit;
  /** The activity ends by itself in time, and says how; the server's own timeout would have it tried again. */
  endsItself?: boolean;
}

type CallSettings = Pick<LoopSettings, 'timeouts' | 'localActions'>;

interface CallWork {
  model: boolean;
  action?: string | undefined;
}

export function attemptTime(
  { timeouts: { modelCallMs, stepMs } }: Pick<CallSettings, 'timeouts'>,
  model: boolean,
): number {
  return model ? modelCallMs : stepMs;
}

/** Returns the time of all attempts of a local call together: it waits for no worker, so they count from its beginning. */
function localCallMs({ timeouts: { retryForMs, stepMs } }: CallSettings): number {
  return Math.max(retryForMs, stepMs);
}

function isNearby({ localActions }: Pick<CallSettings, 'localActions'>, action: string | undefined): boolean {
  return action !== undefined && localActions?.includes(action) === true;
}

/**
 * Returns the time from which the time that a budget leaves for a call is counted: `now()` for a local call, because its result
 * moves that clock. `Date.now()` may be ahead of it; the call would end early, and leave time for another one.
 */
export function callTime(settings: Pick<CallSettings, 'localActions'>, action: string | undefined): number {
  return isNearby(settings, action) ? now() : Date.now();
}

function remoteOptions(
  settings: CallSettings,
  model: boolean,
  { summary, timeLeftMs = Infinity, endsItself }: CallOptions,
): ActivityOptions {
  const { timeouts } = settings;
  return {
    startToCloseTimeout: attemptTime(settings, model) + (model || endsItself ? GRACE_MS : 0),
    // The server keeps the time budget: attempts and the waits between them end with it, and no timer is needed. Without
    // one a call waits for a worker as long as it takes; for how long failures are tried again, the activity knows.
    ...(timeLeftMs === Infinity ? {} : { scheduleToCloseTimeout: timeLeftMs }),
    heartbeatTimeout: heartbeatTimeoutOf(timeouts, model),
    retry: retriesFor(timeouts.retryForMs),
    ...(model ? { taskQueue: modelQueue(workflowInfo().taskQueue) } : {}),
    summary: summaryText(summary),
  };
}

function nearbyActivities(
  settings: CallSettings,
  { summary, timeLeftMs = Infinity, limit }: CallOptions,
  elsewhere: ActivityOptions,
): ReflectionActivities {
  const { stepMs, retryForMs } = settings.timeouts;
  const options: LocalActivityOptions = {
    startToCloseTimeout: stepMs,
    scheduleToCloseTimeout: Math.max(LEAST_LOCAL_MS, Math.min(localCallMs(settings), timeLeftMs)),
    retry: retriesFor(retryForMs),
    localRetryThreshold: LONGEST_LOCAL_WAIT_MS,
    summary: summaryText(summary),
  };
  return localActivities(options, limit, { elsewhere });
}

/**
 * Calls an activity that may take long: it runs where its queue says, and is tried again for as long as the spec says. One that
 * runs an action registered as `local` runs where the workflow runs. Throws RunTimeExceeded when the time budget ends it.
 */
export function callActivity<Name extends keyof ReflectionActivities>(
  name: Name,
  settings: CallSettings,
  called: CallWork,
  input: Parameters<ReflectionActivities[Name]>[0],
  how: CallOptions,
): ReturnType<ReflectionActivities[Name]> {
  const { timeLeftMs = Infinity } = how;
  const isLocal = isNearby(settings, called.action);
  const options = remoteOptions(settings, called.model, how);
  const isLimited = timeLeftMs < (isLocal ? localCallMs(settings) : Infinity);
  const activities = isLocal ? nearbyActivities(settings, how, options) : remoteActivities(options, how.limit);
  const call = activities[name] as (given: typeof input) => Promise<unknown>;
  return limitTime(isLimited, call(input)) as ReturnType<ReflectionActivities[Name]>;
}

export function workOfStep(step: Step): CallWork {
  return isModelCall(step) ? { model: true } : { model: false, action: 'action' in step ? step.action : undefined };
}

export function workOfEvaluator({
  evaluator,
  asksModel = true,
}: {
  evaluator: Evaluator;
  asksModel?: boolean;
}): CallWork {
  return { model: asksModel, action: 'action' in evaluator ? evaluator.action : undefined };
}

export function nameOfStep(step: Step | InlineStep): string {
  if ('workflow' in step) return step.workflow;
  return 'action' in step ? step.action : (step.language ?? 'python');
}

function local(summary: string): LocalActivityOptions {
  return { startToCloseTimeout: LOCAL_TIMEOUT_MS, summary: summaryText(summary) };
}

/**
 * Returns the activities for short work, such as a check, in the worker that runs the workflow. With `before`, a check that
 * was made before is made elsewhere while a name is not known here.
 */
export function checkingActivities(summary: string, before?: CheckedBefore, limit?: InputLimit): ReflectionActivities {
  const options = local(summary);
  const elsewhere = before && { ...options, retry: retriesFor(before.retryForMs) };
  return localActivities(options, limit, { elsewhere, check: summary });
}

/** Returns activities at the worker that runs the workflow, or, if that lacks what they need, at one that has it. */
export function nearestActivities(summary: string): ReflectionActivities {
  return localActivities(local(summary), undefined, { elsewhere: local(summary), check: summary });
}

/** Runs deterministic evaluators where the workflow runs: their input is not copied into history. */
export function callLocalEvaluators(settings: LoopSettings, input: EvaluateInput, summary: string): Promise<Verdict[]> {
  const { evaluate } = localActivities(local(summary), inputLimit(settings), { check: summary });
  return evaluate(input);
}
