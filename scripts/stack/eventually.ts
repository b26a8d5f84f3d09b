import { setTimeout as sleep } from 'node:timers/promises';

/** @throws Error with what was last seen, unless it is so within that time */
export async function eventually<T>(
  what: string,
  look: () => Promise<T>,
  isSo: (seen: T) => boolean,
  seconds = 90,
): Promise<T> {
  const end = Date.now() + seconds * 1_000;
  for (;;) {
    const seen = await look().catch((error: unknown) => error as Error);
    if (!(seen instanceof Error) && isSo(seen)) return seen;
    if (Date.now() > end) throw new Error(`${what}: ${seen instanceof Error ? seen.message : JSON.stringify(seen)}`);
    await sleep(500);
  }
}
