import { withoutSecretsInside } from '../text/secrets';

/** The depth of causes that is searched: an error, its cause, the cause of that. Errors do not nest deeper. */
const DEPTH = 4;

/**
 * Takes keys out of an error's texts, however they are written there. Providers quote the key that they refuse, and an error goes to places that a key
 * must not reach: logs, and Temporal's history.
 */
export function scrub(error: unknown, secrets: readonly string[]): void {
  let current: unknown = error;
  for (let depth = 0; depth < DEPTH && typeof current === 'object' && current !== null; depth += 1) {
    for (const field of ['message', 'stack', 'error']) {
      const value: unknown = Reflect.get(current, field);
      // Not an assignment: that would throw on errors of `fetch`, whose message cannot be changed (and holds no key).
      if (value !== undefined) Reflect.set(current, field, withoutSecretsInside(value, secrets));
    }
    current = Reflect.get(current, 'cause');
  }
}
