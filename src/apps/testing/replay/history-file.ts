import { isJsonObject, type Json, type JsonObject } from '../../../lib/json/json';

/** A history as `temporal workflow show --output json` writes it and as the SDK's replay reads it. */
export interface HistoryFile {
  events: JsonObject[];
}

/** A recorded run. The runs of a chain are `chain-1`, `chain-2`, … */
export interface Recording {
  name: string;
  history: HistoryFile;
}

/** Writes one event a line: small, and a change of one event is a change of one line. */
export function historyText({ events }: HistoryFile): string {
  return `{"events":[\n${events.map((event) => JSON.stringify(event)).join(',\n')}\n]}\n`;
}

export function payloadValue(payload: Json | undefined): unknown {
  const data = isJsonObject(payload) ? payload['data'] : undefined;
  return typeof data === 'string' ? JSON.parse(Buffer.from(data, 'base64').toString()) : undefined;
}

export function encodings(history: HistoryFile): string[] {
  const found = new Set<string>();
  JSON.stringify(history, (key, value: unknown) => {
    if (key === 'encoding' && typeof value === 'string') found.add(Buffer.from(value, 'base64').toString());
    return value;
  });
  return [...found];
}

function payloadsOf(value: Json | undefined): unknown[] {
  const payloads = isJsonObject(value) ? value['payloads'] : undefined;
  return Array.isArray(payloads) ? payloads.map(payloadValue) : [];
}

export type RunEnd =
  | { kind: 'completed'; result: unknown }
  | { kind: 'failed'; type: string; message: string; details: unknown[] }
  | { kind: 'continued'; arguments: unknown[] }
  | { kind: 'cancelled' };

const attributes = (event: JsonObject | undefined, name: string): JsonObject | undefined => {
  const value = event?.[`workflowExecution${name}EventAttributes`];
  return isJsonObject(value) ? value : undefined;
};

export function endOf({ events }: HistoryFile): RunEnd | undefined {
  const last = events.at(-1);
  const completed = attributes(last, 'Completed');
  if (completed) return { kind: 'completed', result: payloadsOf(completed['result'])[0] };
  const continued = attributes(last, 'ContinuedAsNew');
  if (continued) return { kind: 'continued', arguments: payloadsOf(continued['input']) };
  const failure = attributes(last, 'Failed')?.['failure'];
  if (isJsonObject(failure)) {
    const info = isJsonObject(failure['applicationFailureInfo']) ? failure['applicationFailureInfo'] : {};
    const { type, details } = info;
    return { kind: 'failed', type: String(type), message: String(failure['message']), details: payloadsOf(details) };
  }
  return attributes(last, 'Canceled') ? { kind: 'cancelled' } : undefined;
}

export function endName(end: RunEnd | undefined): string {
  switch (end?.kind) {
    case 'completed': {
      const { convergenceReason, outcome } = end.result as { convergenceReason?: unknown; outcome?: unknown };
      return String(convergenceReason ?? outcome ?? 'completed');
    }
    case 'failed':
      return end.type;
    case 'cancelled':
      return 'Cancelled';
    default:
      return end ? end.kind : 'not at all';
  }
}
