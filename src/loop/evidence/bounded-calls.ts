import { jsonBytes, utf8Bytes } from '../../lib/json/json-bytes';
import { withoutMiddle } from '../../lib/text/middle';
import type { CallRecord, KeptCalls } from '../contract/calls';

export const VERSION_CALLS_BYTES = 64 * 1024;

export const EVALUATION_CALLS_BYTES = 16 * 1024;

export const SHOWN_CALLS_BYTES = 16 * 1024;

/** Bytes of the calls that a deterministic evaluator checks: they go into an input of a local activity, not into the history. */
export const CHECKED_CALLS_BYTES = 512 * 1024;

const SHORT_BYTES = 160;

/** Share of the room for calls without their arguments and results, so that as many as possible stay. */
const BARE_SHARE = 1 / 2;

function bareCall({ arguments: _arguments, digests: _digests, result, ...call }: CallRecord): CallRecord {
  if (result === undefined || call.resultBytes !== undefined) return call;
  return { ...call, resultBytes: utf8Bytes(result) };
}

function shortCall({ result, ...call }: CallRecord): CallRecord {
  if (result === undefined) return call;
  const short = withoutMiddle(result, SHORT_BYTES);
  if (short === result) return { ...call, result };
  return { ...call, result: short, resultBytes: call.resultBytes ?? utf8Bytes(result) };
}

export function withoutResults({ calls, ...kept }: KeptCalls): KeptCalls {
  return calls ? { ...kept, calls: calls.map(bareCall) } : kept;
}

/** The oldest results and arguments are shortened first, then left out; then the oldest calls are only counted. */
export function boundCalls({ calls = [], callsOmitted = 0 }: KeptCalls, most: number): KeptCalls {
  const newest = calls.toReversed();
  // No older call is looked at than may stay: a workflow asks this for each of its judges.
  let whole = 1;
  if (newest.every((call) => (whole += jsonBytes(call) + 1) <= most)) return { calls, callsOmitted };
  const kept: CallRecord[] = [];
  const sizes: number[] = [];
  let used = 2;
  for (const call of newest) {
    const bare = bareCall(call);
    const size = jsonBytes(bare) + 1;
    if (used + size > most * BARE_SHARE) break;
    used += size;
    kept.push(bare);
    sizes.push(size);
  }
  for (const [index, call] of newest.slice(0, kept.length).entries()) {
    for (const form of [call, shortCall(call)]) {
      const more = jsonBytes(form) + 1 - sizes[index]!;
      if (used + more > most) continue;
      used += more;
      kept[index] = form;
      break;
    }
  }
  return { calls: kept.toReversed(), callsOmitted: callsOmitted + calls.length - kept.length };
}

export function joinCalls(earlier: KeptCalls, later: KeptCalls): KeptCalls {
  return {
    calls: [...(earlier.calls ?? []), ...(later.calls ?? [])],
    callsOmitted: (earlier.callsOmitted ?? 0) + (later.callsOmitted ?? 0),
  };
}

export function keptCalls({ calls = [], callsOmitted = 0 }: KeptCalls): KeptCalls {
  return { ...(calls.length > 0 && { calls }), ...(callsOmitted > 0 && { callsOmitted }) };
}
