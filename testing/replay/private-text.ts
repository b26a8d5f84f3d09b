import type { HistoryFile } from '../../src/apps/testing/replay/history-file';

/** What may not be in a recording, payloads included: processes on hosts, local servers, paths. */
const PRIVATE = /\d+@[\w-]+|127\.0\.0\.1:\d+|node_modules|(?:^|[\s"'(])\/(?:home|root|work|Users|tmp)\/|authorization/i;

/** What a recording says about where it was made, payloads included; undefined when it says nothing. */
export function privateText({ events }: HistoryFile): string | undefined {
  const plain = JSON.stringify(events, (key, value: unknown) =>
    key === 'data' && typeof value === 'string' ? Buffer.from(value, 'base64').toString() : value,
  );
  const found = PRIVATE.exec(plain);
  return found ? plain.slice(Math.max(0, found.index - 40), found.index + 80) : undefined;
}
