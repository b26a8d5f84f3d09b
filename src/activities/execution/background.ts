import { Context } from '@temporalio/activity';
import { temporal } from '@temporalio/proto';
import type { BackgroundResponse, Models } from '../../lib/models/types';
import { omitUndefined } from '../../lib/base/defined';
import { addUsage } from '../../lib/base/tokens';
import { countedError, type UnusedReplies, countUnused } from '../../lib/models/paid';
import type { RetryTime } from './retry-time';
import { leftOfSchedule } from './schedule-time';
import { assertNotStalled } from './stalls';

const { PENDING_ACTIVITY_STATE_CANCEL_REQUESTED: CANCEL_REQUESTED } = temporal.api.enums.v1.PendingActivityState;

/** The content of a model call's heartbeats, for the next attempt if this one is lost. */
interface CallDetails {
  responseId?: string;
  /** The code that the reply carries. */
  code?: string;
  /** Replies to this call that could not be used. */
  unused?: UnusedReplies;
}

/** Less time than this is not enough for another attempt. */
const TOO_LATE_MS = 1_000;

/** The attempt that calls a model. */
interface CallPlace {
  remember(details: CallDetails): void;
  onText?: ((piece: string) => void) | undefined;
  retries: RetryTime;
  /** By `performance.now()`. */
  startedAt: number;
}

/**
 * Returns the models, with the details by which a call in the background survives this attempt of the activity, and with the
 * usage of replies to earlier attempts that could not be used.
 */
export function resumableModels(models: Models, { remember, onText, retries, startedAt }: CallPlace): Models {
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

/**
 * Returns whether another attempt of this activity will ask for the response. If that is not known, the response is left
 * alone.
 */
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
