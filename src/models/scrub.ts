/** An error, its cause, the cause of that: nobody nests them deeper. */
const DEPTH = 4;

/** Values shorter than this would be found by accident. */
const SHORTEST_SECRET = 4;

/**
 * Takes a key out of an error's texts. Providers quote the key that they refuse, and an error goes to places that a key
 * must not reach: logs, and Temporal's history.
 */
export function scrub(error: unknown, secret: string): void {
  if (secret.length < SHORTEST_SECRET) return;
  let current: unknown = error;
  for (let depth = 0; depth < DEPTH && typeof current === 'object' && current !== null; depth += 1) {
    for (const field of ['message', 'stack', 'error']) {
      const value: unknown = Reflect.get(current, field);
      // Not an assignment: that would throw on errors of `fetch`, whose message cannot be changed (and holds no key).
      if (value !== undefined) Reflect.set(current, field, withoutSecret(value, secret));
    }
    current = Reflect.get(current, 'cause');
  }
}

function withoutSecret(value: unknown, secret: string): unknown {
  if (typeof value === 'string') return value.replaceAll(secret, '[redacted]');
  if (Array.isArray(value)) return value.map((item) => withoutSecret(item, secret));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withoutSecret(item, secret)]));
}
