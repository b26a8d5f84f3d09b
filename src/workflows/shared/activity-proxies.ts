import type { LocalActivityOptions, RetryState } from '@temporalio/common';
import {
  ActivityFailure,
  type ActivityOptions,
  ApplicationFailure,
  log,
  proxyActivities,
  proxyLocalActivities,
  TimeoutFailure,
  workflowInfo,
} from '@temporalio/workflow';
import type { ReflectionActivities } from '../../activities/protocol';
import { activityName, type Registered } from '../../lib/names/activity-names';
import { localLoad, storedBytes } from '../../loop/limits/call-loads';
import type { InputLimit } from '../../lib/limits/payload-limit';
import { LOCAL_TIME_IS_UP } from '../../lib/base/timed-result';
import { noteRetry } from './kept-page';
import { queueCall, scheduleCall } from './scheduling';
import { firstAttempt, type Retried, waitForCheck } from '../retries/retried-checks';
import { isJsonObject } from '../../lib/json/json';

const RUN_ACTIONS: ReadonlySet<string> = new Set(['generate', 'revise', 'tool', 'hook', 'evaluate']);

/** `originalExecutionRunId` since SDK 1.23. */
interface RunIds {
  runId: string;
  originalExecutionRunId?: string;
}

/** In the run's own global object: modules are shared by all runs of a worker, see docs/decisions/shared-workflow-code.md. */
const KEY = '__durableReflectionCalls';

/**
 * Adds an idempotency key to the input of an activity. The key is made of the run (which a reset does not change, since SDK
 * 1.23), the kind of the call, its iteration, and how many calls of that kind and iteration the run has made. Attempts of
 * the call share it.
 */
function addIdempotencyKey(name: string, input: unknown): unknown {
  // The same call, made another way, keeps its key.
  if (!RUN_ACTIONS.has(name) || !isJsonObject(input) || 'idempotencyKey' in input) return input;
  const { iteration = 0 } = input as { iteration?: number };
  const own = globalThis as { [KEY]?: Map<string, number> };
  const counts = (own[KEY] ??= new Map());
  const kind = `${name}/${iteration}`;
  const number = (counts.get(kind) ?? 0) + 1;
  counts.set(kind, number);
  return { ...input, idempotencyKey: `${originalRunId(workflowInfo())}/${kind}/${number}` };
}

const MAKE_PROMPTS: ReadonlySet<string> = new Set(['generate', 'revise', 'evaluate', 'repair']);

/** Codes of fences are made from it: a run that took over begins its prompts as the run before it did. */
function addChain(name: string, input: unknown): unknown {
  const { runId, firstExecutionRunId } = workflowInfo();
  if (runId === firstExecutionRunId || !MAKE_PROMPTS.has(name) || !isJsonObject(input)) return input;
  return { ...input, chain: firstExecutionRunId };
}

/** SDK 1.22 does not report which run was reset: with it, a reset changes the keys of the calls after it. */
function originalRunId({ runId, originalExecutionRunId = runId }: RunIds): string {
  return originalExecutionRunId;
}

type RegisteredActivities = Registered<ReflectionActivities>;

type Call = (input: unknown) => Promise<unknown>;

/** Makes calls by the name under which an activity is registered; the SDK's proxies call it by the name of the property. */
function callByPlainName(
  proxy: RegisteredActivities,
  make: (name: string, input: unknown, call: Call) => Promise<unknown>,
): ReflectionActivities {
  return new Proxy({} as ReflectionActivities, {
    get: (_, key) => {
      const name = String(key);
      const call = proxy[activityName(name as keyof ReflectionActivities)] as unknown as Call;
      return (input: unknown) => make(name, input, call);
    },
  });
}

/**
 * Our activities, by way of a task queue. Each call waits until there is room for it. Functions between a loop and its
 * calls are not `async` where they only pass a promise on: the SDK notes a stack trace for each promise of workflow code, which
 * is most of what such a function costs.
 */
export function remoteActivities(options: ActivityOptions, limit?: InputLimit): ReflectionActivities {
  return callByPlainName(proxyActivities<RegisteredActivities>(options), (name, given, call) => {
    const input = addChain(name, addIdempotencyKey(name, given));
    return queueCall(name, input, limit, () => call(input));
  });
}

const USUAL_RETRIES = { initialInterval: 1_000, backoffCoefficient: 2, maximumInterval: 100_000 };

const UNKNOWN_HERE = ['UnknownAction', 'UnknownModel', 'MemoryMissing'];

/** The name may be known elsewhere. A failure that no retry helps is final. */
function isUnknownHere({ type, nonRetryable }: ApplicationFailure): boolean {
  return nonRetryable !== true && UNKNOWN_HERE.includes(type ?? '');
}

/** The SDK throws failures bare, and a timeout only when a replay reads it from history. */
function asActivityFailure(error: unknown, name: string): unknown {
  if (!(error instanceof ApplicationFailure || error instanceof TimeoutFailure)) return error;
  if ('type' in error && error.type === LOCAL_TIME_IS_UP && error.cause) {
    return new ActivityFailure(error.message, name, undefined, 'TIMEOUT' as RetryState, undefined, error.cause);
  }
  const retryState = 'nonRetryable' in error && error.nonRetryable ? 'NON_RETRYABLE_FAILURE' : undefined;
  return new ActivityFailure(error.message, name, undefined, retryState as RetryState, undefined, error);
}

interface AfterFailure {
  /** For a name that this worker did not know: workers of a queue may be of several builds. Undefined: no such call. */
  elsewhere?: ActivityOptions | undefined;
  /** The name of a check that the workflow retries, as users read it. Undefined: the SDK retries, as the options say. */
  check?: string;
}

/** Returns our activities, in the worker that runs the workflow. Only their results are part of the history. */
export function localActivities(
  options: LocalActivityOptions,
  limit?: InputLimit,
  { elsewhere, check }: AfterFailure = {},
): ReflectionActivities {
  const retry = { ...USUAL_RETRIES, ...options.retry, ...(check !== undefined && { maximumAttempts: 1 }) };
  const known = { ...retry, ...(elsewhere && { nonRetryableErrorTypes: UNKNOWN_HERE }) };
  const proxy = proxyLocalActivities<RegisteredActivities>({ ...options, retry: known });
  return callByPlainName(proxy, (name, given, call) => {
    const input = addChain(name, addIdempotencyKey(name, given));
    const attempt = (retried?: Retried): Promise<unknown> =>
      scheduleCall(
        () => localLoad(name, input, limit),
        () => call(input),
        (made) => storedBytes(made, limit),
        (error) => {
          if (elsewhere && error instanceof ApplicationFailure && isUnknownHere(error)) {
            log.warn(`The run waits for a worker that has what this one lacks: ${error.message}`);
            const others = remoteActivities(elsewhere, limit) as unknown as Record<string, Call>;
            return others[name]!(input);
          }
          return tryAgain(error, name, retried, attempt);
        },
      );
    return attempt(check === undefined ? undefined : firstAttempt(check));
  });
}

async function tryAgain(
  error: unknown,
  name: string,
  retried: Retried | undefined,
  attempt: (retried: Retried) => Promise<unknown>,
): Promise<unknown> {
  const next = retried && (await waitForCheck(error, retried));
  if (!next) throw asActivityFailure(error, name);
  return attempt(next).finally(() => noteRetry(next.what));
}
