/**
 * Copies `object` without the keys whose value is `undefined`. Use it if a missing key makes a difference: in values that are
 * compared, listed key by key, or spread over defaults.
 */
export function omitUndefined<T extends object>(object: T): T {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as T;
}
