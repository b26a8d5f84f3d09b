import { decodeFromPayloadsAtIndex, ExternalStorageRunner } from '@temporalio/common/lib/internal-non-workflow';
import { tsToMs } from '@temporalio/common/lib/time';
import type { temporal as proto } from '@temporalio/proto';
import { isTimed } from '../lib/base/timed-result';
import { type TokenUsage, tokenUsage } from '../lib/contract/values';
import { plainActivityName } from '../lib/names/activity-names';
import type { CallOptions } from './call-options';
import { withTypedErrors } from './errors/with-typed-errors';
import type { Asked } from './questions';

type Event = proto.api.history.v1.IHistoryEvent;
type Payloads = proto.api.common.v1.IPayload[] | null | undefined;
type Failure = proto.api.failure.v1.IFailure | null | undefined;

/** A call of one of our activities, as a history has it. What its run's client cannot decode is undefined. */
export interface RecordedCall {
  activity: string;
  runId: string;
  /** The words of the Web UI's timeline. */
  summary?: string;
  input: unknown;
  /** Undefined for a call that waits or runs. */
  attempt?: number;
  /** Epoch milliseconds. */
  startedAt?: number;
  endedAt?: number;
  result?: unknown;
  /** The address of what its model calls were sent, where that was kept. */
  prompts?: string;
  failure?: { type: string; message: string; tokenUsage?: TokenUsage };
  /** How the attempt before the last one failed. */
  failureBefore?: RecordedCall['failure'];
}

interface CallEvents {
  scheduled: Event;
  started?: Event;
  ended?: Event;
}

export function reportedUsage(report: unknown): TokenUsage | undefined {
  return tokenUsage.safeParse((report as { tokenUsage?: unknown } | null | undefined)?.tokenUsage).data;
}

export async function* eventsOf(
  { temporal }: Asked,
  execution: { workflowId: string; runId: string },
  method: string,
  options: CallOptions,
): AsyncGenerator<Event> {
  const { namespace } = temporal.options;
  let nextPageToken: Uint8Array | undefined;
  do {
    const request = { namespace, execution, ...(nextPageToken && { nextPageToken }) };
    const page: proto.api.workflowservice.v1.IGetWorkflowExecutionHistoryResponse = await withTypedErrors(
      temporal,
      { method, kind: 'question', workflowId: execution.workflowId },
      options,
      () => temporal.workflow.workflowService.getWorkflowExecutionHistory(request),
    );
    yield* page.history?.events ?? [];
    nextPageToken = page.nextPageToken?.length ? page.nextPageToken : undefined;
  } while (nextPageToken);
}

/** Reads payloads of a history, also those that are stored outside of it. */
class PayloadReader {
  readonly #runner: ExternalStorageRunner | undefined;

  constructor(private readonly temporal: Asked['temporal']) {
    const { externalStorage } = temporal.options.loadedDataConverter;
    this.#runner = externalStorage && new ExternalStorageRunner(externalStorage);
  }

  async read(payloads: Payloads): Promise<unknown> {
    try {
      const given = (payloads ?? []).slice(0, 1) as Parameters<ExternalStorageRunner['retrieve']>[0];
      const whole = this.#runner ? await this.#runner.retrieve(given) : given;
      return await decodeFromPayloadsAtIndex(this.temporal.options.loadedDataConverter, 0, whole);
    } catch {
      return undefined;
    }
  }

  async readFailure(failure: Failure): Promise<RecordedCall['failure']> {
    const { message, applicationFailureInfo: info, timeoutFailureInfo: timeout } = failure ?? {};
    const type = info?.type ?? (timeout ? 'Timeout' : 'Failed');
    const used = reportedUsage(await this.read(info?.details?.payloads));
    return { type, message: message ?? '', ...(used && { tokenUsage: used }) };
  }
}

function failureIn(event: Event): Failure {
  return (event.activityTaskFailedEventAttributes ?? event.activityTaskTimedOutEventAttributes)?.failure;
}

/** Returns the parts of an activity's result; workers of before the first release sent the value alone. */
function resultOf(result: unknown): Pick<RecordedCall, 'result' | 'prompts'> {
  if (!isTimed(result)) return result === undefined ? {} : { result };
  const { value, reflectionPrompts: prompts } = result;
  return { result: value, ...(typeof prompts === 'string' && { prompts }) };
}

async function recordedCall(
  { scheduled, started, ended }: CallEvents,
  runId: string,
  reader: PayloadReader,
): Promise<RecordedCall> {
  const { activityType, input } = scheduled.activityTaskScheduledEventAttributes!;
  const summary = scheduled.userMetadata?.summary && (await reader.read([scheduled.userMetadata.summary]));
  const result = await reader.read(ended?.activityTaskCompletedEventAttributes?.result?.payloads);
  const failure = ended && failureIn(ended);
  const before = started?.activityTaskStartedEventAttributes?.lastFailure;
  return {
    activity: plainActivityName(activityType?.name ?? ''),
    runId,
    ...(typeof summary === 'string' && { summary }),
    input: await reader.read(input?.payloads),
    ...(started && {
      attempt: started.activityTaskStartedEventAttributes?.attempt ?? 1,
      startedAt: tsToMs(started.eventTime),
    }),
    ...(ended && { endedAt: tsToMs(ended.eventTime) }),
    ...resultOf(result),
    ...(failure && { failure: await reader.readFailure(failure) }),
    ...(before && { failureBefore: await reader.readFailure(before) }),
  };
}

/**
 * Reads the calls of some activities from the histories of a chain, in the order in which they were made, and the ids of the runs
 * that the chain started. Needs no worker.
 * @param method of the client, which errors name
 * @param names of the activities, without our prefix
 */
export async function* recordedCalls(
  place: Asked,
  { workflowId, chain, method }: { workflowId: string; chain: readonly string[]; method: string },
  names: ReadonlySet<string>,
  options: CallOptions,
): AsyncGenerator<RecordedCall | { child: string }> {
  const reader = new PayloadReader(place.temporal);
  for (const runId of chain) {
    const calls = new Map<string, CallEvents>();
    const children: string[] = [];
    for await (const event of eventsOf(place, { workflowId, runId }, method, options)) {
      const name = event.activityTaskScheduledEventAttributes?.activityType?.name ?? '';
      if (names.has(plainActivityName(name))) calls.set(String(event.eventId), { scheduled: event });
      const started = event.activityTaskStartedEventAttributes;
      const ended =
        event.activityTaskCompletedEventAttributes ??
        event.activityTaskFailedEventAttributes ??
        event.activityTaskTimedOutEventAttributes ??
        event.activityTaskCanceledEventAttributes;
      const call = calls.get(String((started ?? ended)?.scheduledEventId));
      if (call && started) call.started = event;
      if (call && ended) call.ended = event;
      const child = event.startChildWorkflowExecutionInitiatedEventAttributes?.workflowId;
      if (child) children.push(child);
    }
    for (const events of calls.values()) yield recordedCall(events, runId, reader);
    for (const child of children) yield { child };
  }
}
