import { decodeFromPayloadsAtIndex } from '@temporalio/common/lib/internal-non-workflow';
import { tsToMs } from '@temporalio/common/lib/time';
import type { temporal as proto } from '@temporalio/proto';
import type { Json } from '../../lib/json/json';
import { isTimed } from '../../lib/base/timed-result';
import { plainActivityName } from '../../lib/names/activity-names';
import { actionOf, type ChainRecord, countUsage, roleOf } from '../../kinds/report/run-report';
import type { CallOptions } from '../../calls/call-options';
import type { Asked } from '../../calls/questions';
import { eventsOf, reportedUsage } from '../../calls/recorded-calls';

type Event = proto.api.history.v1.IHistoryEvent;
type Payloads = proto.api.common.v1.IPayloads | null | undefined;
type Read = (payloads: Payloads) => Promise<unknown>;

/** A reader of the events of one run; activities are named where they are scheduled. */
class EventReader {
  readonly #activities = new Map<string, string>();

  constructor(
    readonly record: ChainRecord,
    readonly read: Read,
  ) {}

  async take(event: Event): Promise<void> {
    const started = event.workflowExecutionStartedEventAttributes;
    if (started) this.record.argument ??= await this.read(started.input);
    const scheduled = event.activityTaskScheduledEventAttributes;
    if (scheduled) this.#activities.set(String(event.eventId), plainActivityName(scheduled.activityType?.name ?? ''));
    const completed = event.activityTaskCompletedEventAttributes;
    if (completed) {
      const name = this.#activities.get(String(completed.scheduledEventId)) ?? '';
      const result = await this.read(completed.result);
      this.#count(roleOf(name), isTimed(result) ? result.value : result);
    }
    const child = event.childWorkflowExecutionCompletedEventAttributes;
    if (child) this.#count('child runs', await this.read(child.result));
    const signal = event.workflowExecutionSignaledEventAttributes;
    if (signal) this.#recordMessage(event, 'signal', signal.signalName, await this.read(signal.input));
    const update = event.workflowExecutionUpdateAcceptedEventAttributes?.acceptedRequest?.input;
    if (update) this.#recordMessage(event, 'update', update.name, await this.read(update.args));
  }

  #count(role: string, result: unknown): void {
    for (const part of Array.isArray(result) ? (result as unknown[]) : [result]) {
      const used = reportedUsage(part);
      if (used) countUsage(this.record.roles, role, used);
    }
  }

  #recordMessage(
    { eventTime }: Event,
    via: 'signal' | 'update',
    name: string | null | undefined,
    payload: unknown,
  ): void {
    const by = (payload as { by?: unknown } | null | undefined)?.by;
    const action = actionOf({
      name: name ?? '',
      payload: (payload ?? {}) as Json,
      ...(typeof by === 'string' && { by }),
      at: new Date(tsToMs(eventTime)).toISOString(),
      via,
      ...(via === 'update' && { applied: true }),
    });
    if (action) this.record.sent.push(action);
  }
}

/** Reads the histories of a chain, page by page: a run of a chain may have tens of MiB. What cannot be read is left out. */
export async function readChainRecord(
  { temporal }: Asked,
  workflowId: string,
  chain: readonly string[],
  options: CallOptions,
): Promise<ChainRecord> {
  const { loadedDataConverter } = temporal.options;
  const read: Read = async (payloads) => {
    try {
      return await decodeFromPayloadsAtIndex(loadedDataConverter, 0, payloads?.payloads);
    } catch {
      return undefined;
    }
  };
  const record: ChainRecord = { argument: undefined, roles: [], sent: [] };
  for (const runId of chain) {
    const reader = new EventReader(record, read);
    const events = eventsOf({ temporal }, { workflowId, runId }, 'report', options);
    for await (const event of events) await reader.take(event);
  }
  return record;
}
