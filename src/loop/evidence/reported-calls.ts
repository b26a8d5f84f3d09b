import { omitUndefined } from '../../lib/base/defined';
import { isJsonObject, type Json } from '../../lib/json/json';
import { wellFormedMessage } from '../../lib/names/protocol-text';
import { withoutKeys } from '../../lib/text/keys';
import type { CallRecord, KeptCalls } from '../contract/calls';
import { asJson } from './as-json';
import { shortenArguments, shortenResult } from './call-record';

/** A call that an agent says it made. It is shown as reported: the agent's word is all that there is for it. */
export interface ReportedCall {
  /** Name of the tool. */
  name: string;
  arguments?: Json;
  /** Result of the tool; for a call that failed, its error. */
  result?: Json;
  /** Default: false. */
  failed?: boolean;
  /** ISO 8601. */
  startedAt?: string;
  /** ISO 8601. */
  endedAt?: string;
}

/** The most calls that one answer may report; of more, the latest count. */
const MOST_REPORTED = 1_000;

const NAME_CHARACTERS = 200;

const isTime = (value: unknown): boolean =>
  value === undefined || (typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value));

function isReported(value: unknown): value is ReportedCall {
  if (!isJsonObject(value as Json)) return false;
  const { name, failed = false, startedAt, endedAt } = value as Partial<ReportedCall>;
  return typeof name === 'string' && name !== '' && typeof failed === 'boolean' && isTime(startedAt) && isTime(endedAt);
}

function recordOfReported(given: ReportedCall): CallRecord {
  const { name, arguments: called, result, failed = false, startedAt, endedAt } = wellFormedMessage(given);
  // In the JSON, so that a key is hidden in texts at every depth.
  const safe = called === undefined ? undefined : (JSON.parse(withoutKeys(JSON.stringify(called))) as Json);
  return omitUndefined<CallRecord>({
    name: name.slice(0, NAME_CHARACTERS),
    ...(safe === undefined ? {} : shortenArguments(safe)),
    ...(result === undefined
      ? {}
      : shortenResult(withoutKeys(typeof result === 'string' ? result : JSON.stringify(result)))),
    outcome: failed ? 'error' : 'ok',
    source: 'reported',
    startedAt,
    endedAt,
  });
}

/** Reads the calls that an agent reports, or returns a text that says what is wrong with them. */
export function readReportedCalls(given: unknown): KeptCalls | string {
  if (given === undefined || given === null) return {};
  const said = asJson(given);
  if (!Array.isArray(said) || !(said as unknown[]).every(isReported))
    return 'must return `calls` that are objects with a `name`';
  const calls = (said as unknown as ReportedCall[]).slice(-MOST_REPORTED).map(recordOfReported);
  return { calls, callsOmitted: said.length - calls.length };
}
