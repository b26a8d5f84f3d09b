import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LedgerEntry, ScriptEntry } from './script';

type Body = NonNullable<LedgerEntry['body']>;

export function readBody(text: string): Body | undefined {
  try {
    const body = JSON.parse(text) as (Body & { input?: Body['messages'] }) | null;
    // The Responses API has another word for the messages.
    if (Array.isArray(body?.input)) return { ...body, messages: body.input };
    return Array.isArray(body?.messages) ? body : undefined;
  } catch {
    return undefined;
  }
}

/** Waits, but no longer than the client does. */
export async function waitFor(ms: number, response: ServerResponse): Promise<void> {
  const gone = new AbortController();
  const stop = (): void => gone.abort();
  response.once('close', stop);
  await sleep(ms, undefined, { signal: gone.signal }).catch(() => undefined);
  response.off('close', stop);
}

export function headersOf({
  headers,
  retryAfterDateMs,
}: Extract<ScriptEntry, { status: number }>): Record<string, string> {
  if (retryAfterDateMs === undefined) return headers ?? {};
  const date = new Date(Math.ceil((Date.now() + retryAfterDateMs) / 1_000) * 1_000);
  return { 'retry-after': date.toUTCString(), ...headers };
}
