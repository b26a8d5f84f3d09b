import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { defaultPayloadConverter } from '@temporalio/common';
import type { temporal } from '@temporalio/proto';
import type { ReflectionResult } from '../../src/loop/contract/results';
import type { ActivityRecord, ArrivalRecord, ChainRecord, RunEnd, RunRecord } from './record';
import { withStored } from './stored-payloads';

type HistoryEvent = temporal.api.history.v1.IHistoryEvent;
type Payloads = temporal.api.common.v1.IPayloads;

/** The first value of a list of payloads. */
export function firstOf(payloads: Payloads | null | undefined): unknown {
  const payload = payloads?.payloads?.[0];
  return payload ? defaultPayloadConverter.fromPayload(payload) : undefined;
}

function timeOf({ eventTime }: HistoryEvent): number {
  return Number(eventTime?.seconds ?? 0) * 1_000 + Math.floor((eventTime?.nanos ?? 0) / 1_000_000);
}

function endOf(event: HistoryEvent): RunRecord['end'] {
  const kinds: [RunEnd, unknown][] = [
    ['completed', event.workflowExecutionCompletedEventAttributes],
    ['failed', event.workflowExecutionFailedEventAttributes],
    ['cancelled', event.workflowExecutionCanceledEventAttributes],
    ['terminated', event.workflowExecutionTerminatedEventAttributes],
    ['timedOut', event.workflowExecutionTimedOutEventAttributes],
    ['continuedAsNew', event.workflowExecutionContinuedAsNewEventAttributes],
  ];
  const kind = kinds.find(([, attributes]) => attributes)?.[0];
  if (!kind) return undefined;
  const result = firstOf(event.workflowExecutionCompletedEventAttributes?.result) as ReflectionResult | undefined;
  const message = event.workflowExecutionFailedEventAttributes?.failure?.message;
  return {
    kind,
    eventId: Number(event.eventId),
    at: timeOf(event),
    ...(result ? { result } : {}),
    ...(message ? { message } : {}),
  };
}

function arrivalOf(event: HistoryEvent): ArrivalRecord | undefined {
  const signal = event.workflowExecutionSignaledEventAttributes;
  const update = event.workflowExecutionUpdateAcceptedEventAttributes?.acceptedRequest?.input;
  const payload = firstOf(signal?.input ?? update?.args) as { id?: string } | undefined;
  if (payload?.id === undefined) return undefined;
  const name = signal?.signalName ?? update?.name ?? '';
  return { id: payload.id, name, via: signal ? 'signal' : 'update', eventId: Number(event.eventId), at: timeOf(event) };
}

/** Follows the activities through a history, by the number of the event that scheduled each. */
function followActivity(known: Map<string, ActivityRecord>, event: HistoryEvent): void {
  const scheduled = event.activityTaskScheduledEventAttributes;
  if (scheduled) {
    const { iteration = 0 } = (firstOf(scheduled.input) ?? {}) as { iteration?: number };
    const type = scheduled.activityType?.name ?? '';
    known.set(String(event.eventId), { activityId: scheduled.activityId ?? '', type, iteration });
    return;
  }
  const started = event.activityTaskStartedEventAttributes;
  const outcomes = [
    ['completed', event.activityTaskCompletedEventAttributes],
    ['failed', event.activityTaskFailedEventAttributes],
    ['timedOut', event.activityTaskTimedOutEventAttributes],
    ['cancelled', event.activityTaskCanceledEventAttributes],
  ] as const;
  const [outcome, attributes] = outcomes.find(([, found]) => found) ?? [];
  const activity = known.get(String((started ?? attributes)?.scheduledEventId));
  if (!activity) return;
  if (started) activity.attempt = started.attempt ?? 1;
  if (outcome) Object.assign(activity, { outcome, eventId: Number(event.eventId), at: timeOf(event) });
}

/** What matters of one run's history. */
export function runOf(runId: string, events: readonly HistoryEvent[]): RunRecord {
  const activities = new Map<string, ActivityRecord>();
  for (const event of events) followActivity(activities, event);
  const continued = events[0]?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId;
  const end = events.map(endOf).find((each) => each !== undefined);
  return {
    runId,
    ...(continued ? { continued } : {}),
    activities: [...activities.values()],
    arrivals: events.map(arrivalOf).filter((each) => each !== undefined),
    ...(end ? { end } : {}),
  };
}

/** The present run of each id; none for an id that was never started. */
async function presentRuns(client: Client, workflowIds: readonly string[]) {
  const present: { workflowId: string; runId: string }[] = [];
  for (const workflowId of workflowIds) {
    try {
      present.push(await client.workflow.getHandle(workflowId).describe());
    } catch (error) {
      if (!(error instanceof WorkflowNotFoundError)) throw error;
    }
  }
  return present;
}

/**
 * Every run that a server has: those that its list shows, and those that they continue. The list is written after the runs
 * themselves, on a busy machine long after: the runs of these ids are asked for one by one.
 */
export async function fetchChains(client: Client, workflowIds: readonly string[]): Promise<ChainRecord[]> {
  const chains = new Map<string, Map<string, RunRecord>>();
  const shown: { workflowId: string; runId: string }[] = [];
  for await (const { workflowId, runId } of client.workflow.list()) shown.push({ workflowId, runId });
  for (const { workflowId, runId } of [...shown, ...(await presentRuns(client, workflowIds))]) {
    const runs = chains.get(workflowId) ?? new Map<string, RunRecord>();
    chains.set(workflowId, runs);
    let next: string | undefined = runId;
    while (next !== undefined && !runs.has(next)) {
      const { events } = await client.workflow.getHandle(workflowId, next).fetchHistory();
      const run: RunRecord = runOf(next, await withStored(client, events ?? []));
      runs.set(next, run);
      next = run.continued;
    }
  }
  return [...chains].map(([workflowId, runs]) => ({ workflowId, runs: [...runs.values()] }));
}
