/**
 * A copy of `object` without the keys whose value is `undefined`. Use it where the absence of a key is visible: in what is
 * compared, listed key by key, or spread over defaults.
 */
export function defined<T extends object>(object: T): T {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as T;
}
