import { omitUndefined } from '../../lib/base/defined';
import { isJsonObject, type Json } from '../../lib/json/json';
import { wellCut, wellFormedMessage } from '../../lib/names/protocol-text';
import { withoutKeys, withoutKeysInside } from '../../lib/text/keys';
import type { CallRecord, KeptCalls } from '../contract/calls';
import { asJson } from './as-json';
import { alteredParts, shortenArguments, shortenResult } from './call-record';

/** A call that an agent says it made. It is shown as reported: the agent's word is all that there is for it. */
export interface ReportedCall {
  /** Name of the tool. */
  name: string;
  arguments?: Json;
  /** Result of the tool; for a call that failed, its error. */
  result?: Json;
  /** Default: false. */
  failed?: boolean;
  /** The call was not made: it was rejected, or waits for approval. It counts for no rule about calls. Default: false. */
  unmade?: boolean;
  /** ISO 8601. */
  startedAt?: string;
  /** ISO 8601. */
  endedAt?: string;
}

const MOST_REPORTED = 1_000;

const NAME_CHARACTERS = 200;

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/;

const isTime = (value: unknown): boolean =>
  value === undefined || (typeof value === 'string' && TIME.test(value) && !Number.isNaN(Date.parse(value)));

function problemOf(value: Json): string | undefined {
  if (!isJsonObject(value)) return 'is no object';
  const { name, failed = false, unmade = false, startedAt, endedAt } = value;
  if (typeof name !== 'string' || name === '') return 'has no `name`';
  if (typeof failed !== 'boolean') return 'has a `failed` that is no boolean';
  if (typeof unmade !== 'boolean') return 'has an `unmade` that is no boolean';
  return isTime(startedAt) && isTime(endedAt) ? undefined : 'has a time that is not ISO 8601 in UTC';
}

function recordOfReported(given: ReportedCall): CallRecord {
  const { name, arguments: called, result, failed, unmade, startedAt, endedAt } = wellFormedMessage(given);
  const text = result === undefined ? undefined : typeof result === 'string' ? result : JSON.stringify(result);
  const kept = {
    ...(called !== undefined && shortenArguments(withoutKeysInside(called))),
    ...(text !== undefined && shortenResult(withoutKeys(text))),
  };
  const altered = alteredParts(called, text, kept);
  return omitUndefined<CallRecord>({
    name: wellCut(name.slice(0, NAME_CHARACTERS)),
    ...kept,
    ...(altered.length > 0 && { altered }),
    outcome: unmade ? 'not_made' : failed ? 'error' : 'ok',
    source: 'reported',
    startedAt,
    endedAt,
  });
}

export function readReportedCalls(given: unknown): KeptCalls | string {
  if (given === undefined || given === null) return {};
  const said = asJson(given);
  if (!Array.isArray(said)) return 'must return `calls` that are a list';
  for (const [index, call] of said.entries()) {
    const problem = problemOf(call);
    if (problem !== undefined) return `must return other \`calls\`: /calls/${index} ${problem}`;
  }
  const calls = (said as unknown as ReportedCall[]).slice(-MOST_REPORTED).map(recordOfReported);
  return { calls, callsOmitted: said.length - calls.length };
}
