import { omitUndefined } from '../../lib/base/defined';
import { sha256 } from '../../lib/base/sha256';
import type { Json } from '../../lib/json/json';
import { jsonBytes, utf8Bytes } from '../../lib/json/json-bytes';
import { jsonOrText } from '../../lib/json/json-or-text';
import { jsonPointer } from '../../lib/json/json-pointer';
import { changeTexts } from '../../lib/json/texts';
import { withoutMiddle } from '../../lib/text/middle';
import { withoutKeys, withoutKeysInside } from '../../lib/text/keys';
import type { CallRecord } from '../contract/calls';

export const WHOLE_BYTES = 4 * 1024;

/** Bytes of a text inside of arguments that are too long. */
export const TEXT_BYTES = 512;

/** The most texts of arguments that a record has a digest of, the longest first. */
export const MOST_DIGESTS = 8;

const POINTER_CHARACTERS = 200;

export interface CallMeasurement {
  /** Epoch milliseconds. */
  startedAt: number;
  ms: number;
  attempt: number;
  /** Size in bytes of a result that the caller did not get whole. */
  bytes?: number;
  redacted?: { arguments?: string; result?: string };
  /** Whether the call fitted the conditions of the rules about it. */
  checks?: CallRecord['checks'];
}

interface MadeCall {
  name: string;
  /** JSON, as the model wrote it; undefined where it is not known. */
  arguments?: string;
  /** The arguments without secrets, where a worker that did not make the call found any in them. */
  safeArguments?: string | undefined;
  /** The result as text; undefined if it is the output. */
  result?: string;
  failed: boolean;
  unmade?: boolean | undefined;
}

function readArguments(text: string): Json {
  return text.trim() === '' ? {} : jsonOrText(text);
}

function longTexts(value: Json, bytes: number, path: (string | number)[] = []): { path: string; text: string }[] {
  if (typeof value === 'string') return utf8Bytes(value) > bytes ? [{ path: jsonPointer(path), text: value }] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => longTexts(inner, bytes, [...path, key]));
}

function digestsOf(value: Json, bytes: number): Pick<CallRecord, 'digests'> {
  const long = longTexts(value, bytes)
    .filter(({ path }) => path.length <= POINTER_CHARACTERS)
    .toSorted((one, other) => other.text.length - one.text.length)
    .slice(0, MOST_DIGESTS);
  return long.length === 0 ? {} : { digests: Object.fromEntries(long.map(({ path, text }) => [path, digestOf(text)])) };
}

function withShortTexts(value: Json): Json {
  const shorten = (text: string): string => withoutMiddle(text, TEXT_BYTES);
  return changeTexts(value, shorten, (key) => key) as Json;
}

/** The digest of a text in arguments. White space around it does not count. */
export function digestOf(text: string): string {
  const trimmed = text.trim();
  // In UTF-8, each half of a surrogate pair is the same character.
  return sha256(/\p{Surrogate}/u.test(trimmed) ? JSON.stringify(trimmed) : trimmed);
}

export function shortenArguments(value: Json): Pick<CallRecord, 'arguments' | 'digests'> {
  if (jsonBytes(value) <= WHOLE_BYTES) return { arguments: value };
  const digests = digestsOf(value, TEXT_BYTES);
  const short = withShortTexts(value);
  if (jsonBytes(short) <= WHOLE_BYTES) return { arguments: short, ...digests };
  return { arguments: withoutMiddle(JSON.stringify(short), WHOLE_BYTES / 2), ...digests };
}

export function shortenResult(text: string, bytes = utf8Bytes(text)): Pick<CallRecord, 'result' | 'resultBytes'> {
  const result = withoutMiddle(text, WHOLE_BYTES);
  return { result, ...((bytes > utf8Bytes(text) || result !== text) && { resultBytes: bytes }) };
}

export function alteredParts(
  called: Json | undefined,
  result: string | undefined,
  kept: Pick<CallRecord, 'arguments' | 'result' | 'resultBytes'>,
): NonNullable<CallRecord['altered']> {
  const isSame = JSON.stringify(called) === JSON.stringify(kept.arguments);
  return [
    ...(isSame ? [] : ['arguments' as const]),
    ...(kept.resultBytes === undefined && kept.result === result ? [] : ['result' as const]),
  ];
}

function timesOf({ startedAt, ms, attempt }: CallMeasurement): Pick<CallRecord, 'startedAt' | 'endedAt' | 'attempt'> {
  return {
    startedAt: new Date(startedAt).toISOString(),
    endedAt: new Date(startedAt + ms).toISOString(),
    attempt,
  };
}

/** @param measured undefined for a call whose activity failed */
export function recordOfCall(call: MadeCall, measured?: CallMeasurement): CallRecord {
  const { redacted = {}, bytes } = measured ?? {};
  const called = call.arguments === undefined ? undefined : readArguments(call.arguments);
  // Where no worker of this release measured the call, none looked for secrets.
  const safe = measured || called === undefined ? called : withoutKeysInside(called);
  const hidden = redacted.arguments ?? call.safeArguments;
  const given = hidden === undefined ? safe : readArguments(hidden);
  const text = measured || call.result === undefined ? call.result : withoutKeys(call.result);
  const result = redacted.result ?? text;
  const isHidden = JSON.stringify(given) !== JSON.stringify(called);
  const kept = {
    ...(given !== undefined && shortenArguments(given)),
    ...(result !== undefined && shortenResult(result, bytes)),
  };
  const altered = alteredParts(called, call.result, kept);
  return omitUndefined<CallRecord>({
    name: call.name,
    ...kept,
    // What was hidden is compared all the same.
    ...(called !== undefined && isHidden && digestsOf(called, 0)),
    ...(altered.length > 0 && { altered }),
    checks: measured?.checks,
    outcome: call.unmade ? 'not_made' : call.failed ? 'error' : 'ok',
    source: 'recorded',
    ...(measured && timesOf(measured)),
  });
}
