import { type HistoryFile, type RunEnd } from '../../src/apps/testing/replay/history-file';

/** What a run hands over, as far as times stand in it. */
interface Handed {
  result?: { history: { versions: { timestamp: string }[] } };
  arguments?: [unknown, { state: { startedAt: number; versions: { timestamp: string }[] } }];
}

type Attributes = Record<string, unknown>;
const attributesOf = (event: HistoryFile['events'][number], key: string): Attributes | undefined =>
  event[`${key}EventAttributes`] as Attributes | undefined;

function later(time: string, ms: number): string {
  return new Date(Date.parse(time) + ms).toISOString();
}

/**
 * The history as Temporal's core might show it to the same code on another day. It gives the time of a local activity's end as that
 * of the task it began in and its duration, where the live run saw the time of the task that it came back in; and it takes tasks
 * without commands and the one after them for one. So both times are other ones in a replay than they were.
 */
export function withOtherTimes({ events }: HistoryFile, ms: number): HistoryFile {
  const copy = structuredClone(events);
  const firstTask = copy.find((event) => attributesOf(event, 'workflowTaskStarted'))!;
  firstTask['eventTime'] = later(String(firstTask['eventTime']), ms);
  for (const event of copy) {
    const marker = attributesOf(event, 'markerRecorded');
    const details = marker?.['details'] as Record<string, { payloads: { data: string }[] }> | undefined;
    const payload = details?.['data']?.payloads[0];
    if (!payload) continue;
    const data = JSON.parse(Buffer.from(payload.data, 'base64').toString()) as {
      complete_time: { seconds: number; nanos: number };
    };
    const nanos = data.complete_time.nanos + ms * 1_000_000;
    data.complete_time = {
      seconds: data.complete_time.seconds + Math.floor(nanos / 1e9),
      nanos: nanos % 1e9,
    };
    payload.data = Buffer.from(JSON.stringify(data)).toString('base64');
  }
  return { events: copy };
}

/** When its versions were judged, and when it began, as a run hands it over. */
export function timesOf(end: RunEnd | undefined): unknown {
  const { result, arguments: args } = end as Handed;
  const state = args?.[1].state;
  const versions = result?.history.versions ?? state!.versions;
  return [versions.map(({ timestamp }) => timestamp), state?.startedAt];
}
