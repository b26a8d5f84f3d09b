import type { LookupAddress } from 'node:dns';
import { lookup as systemLookup } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { isPublicAddress } from './public-address';
import { ExternalCallFailed, type Resolver } from './types';
import { literalAddress, PRIVATE_NOT_ALLOWED } from './url-problems';

const resolveBySystem: Resolver = (hostname) => systemLookup(hostname, { all: true, verbatim: true });

/**
 * Makes a lookup for one connection. The addresses that it passes to the socket are the very ones that were checked, so
 * a name that resolves differently a moment later gains nothing. One address that is not public refuses the name.
 *
 * @throws ExternalCallFailed when the name leads to an address that is not public
 */
export async function makeGuardedLookup(
  url: URL,
  allowPrivateAddresses: boolean,
  resolve: Resolver = resolveBySystem,
): Promise<LookupFunction> {
  const { hostname } = url;
  const addresses = literalAddress(url) === undefined ? await resolve(hostname) : [];
  const refused = allowPrivateAddresses ? undefined : addresses.find(({ address }) => !isPublicAddress(address));
  if (refused) throw new ExternalCallFailed(`${hostname} is at ${refused.address}, which ${PRIVATE_NOT_ALLOWED}`);
  return (_hostname, { all }, callback) => {
    const [first] = addresses;
    if (!first) callback(new ExternalCallFailed(`${hostname} has no address`), '', 0);
    else if (all) (callback as unknown as (error: null, found: LookupAddress[]) => void)(null, addresses);
    else callback(null, first.address, first.family);
  };
}
