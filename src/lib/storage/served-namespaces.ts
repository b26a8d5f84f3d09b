import { StoredClaimInvalid } from './errors';

/** The Temporal namespaces that a driver serves, or what says so. Default: all. */
export type ServedNamespaces = readonly string[] | ((namespace: string) => boolean);

/**
 * Makes a function that returns a namespace that a driver serves.
 *
 * @param name of the driver
 * @returns a function that throws StoredClaimInvalid for others
 */
export function createNamespaceCheck(
  name: string,
  namespaces: ServedNamespaces | undefined,
): (namespace: string) => string {
  const serves = typeof namespaces === 'function' ? namespaces : (one: string) => namespaces?.includes(one) ?? true;
  return (namespace) => {
    if (serves(namespace)) return namespace;
    throw new StoredClaimInvalid(`storage "${name}" does not serve namespace "${namespace}"`);
  };
}
