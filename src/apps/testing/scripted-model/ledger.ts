import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import type { LedgerEntry } from './script';

/** Writes a line at once: a ledger must survive the process that it reports on. */
export function appendToLedger(file: string | undefined, entry: LedgerEntry): void {
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(entry)}\n`);
}

/** Reads all lines of a ledger file. */
export function readLedger(file: string): LedgerEntry[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as LedgerEntry);
}

/** Returns the answers that were sent whole: what a provider would have charged for. */
export function paidCalls(ledger: readonly LedgerEntry[]): LedgerEntry[] {
  return ledger.filter((entry) => entry.kind === 'answer' && entry.paid);
}

/** Returns the requests, in the order of their arrival. */
export function requestsOf(ledger: readonly LedgerEntry[]): LedgerEntry[] {
  return ledger.filter((entry) => entry.kind === 'request');
}

export function askedAbout(ledger: readonly LedgerEntry[], kind: 'fetched' | 'cancelled'): LedgerEntry[] {
  return ledger.filter((entry) => entry.kind === kind);
}

/** Returns the prompt of a request: the texts of its messages, with an empty line between two. */
export function promptOf({ body }: LedgerEntry): string {
  return (body?.messages ?? []).map(({ content }) => content).join('\n\n');
}
