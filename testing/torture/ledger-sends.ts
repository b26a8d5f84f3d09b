import type { LedgerEntry } from '../../src/apps/testing/scripted-model/script';
import type { Caller } from './caller';
import { askedFor, callName } from './formula';
import type { AskedRecord, SendRecord } from './record';

/** The requests of a ledger with what became of each. */
export function sendsOf(ledger: readonly LedgerEntry[]): SendRecord[] {
  const sends = new Map<number, SendRecord>();
  for (const entry of ledger) {
    if (entry.kind === 'request' && entry.body) {
      if (entry.caller === undefined) throw new Error(`request ${entry.request} does not say who sent it`);
      const asked = askedFor(entry.body);
      sends.set(entry.request, {
        ...(JSON.parse(entry.caller) as Caller),
        request: entry.request,
        at: entry.at,
        call: callName(asked),
        counted: asked.role !== 'compose',
      });
    }
    const send = sends.get(entry.request);
    if (send && entry.kind === 'answer' && entry.usage)
      Object.assign(send, {
        answeredAt: entry.at,
        usage: entry.usage,
        ...(entry.response === undefined ? {} : { response: entry.response }),
      });
  }
  return [...sends.values()];
}

/** What a ledger knows of questions about responses that are made in the background. */
export function askedOf(ledger: readonly LedgerEntry[]): AskedRecord[] {
  return ledger.flatMap(({ kind, at, request, caller, response, state }): AskedRecord[] => {
    if ((kind !== 'fetched' && kind !== 'cancelled') || response === undefined) return [];
    if (caller === undefined) throw new Error(`request ${request} does not say who sent it`);
    return [{ ...(JSON.parse(caller) as Caller), at, response, kind, ...(state === undefined ? {} : { state }) }];
  });
}
