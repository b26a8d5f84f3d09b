import { isIP } from 'node:net';
import { allowsHost } from '../base/allowed-hosts';
import type { ExternalCalls } from './types';
import { isPublicAddress } from './public-address';

const SECRET_PARAMETER = /key|token|secret|passw|credential|signature|^sig$|^auth/i;

export const PRIVATE_NOT_ALLOWED =
  'is not public; a worker allows such addresses with `externalCalls: { allowPrivateAddresses: true }` or REFLECT_ALLOW_PRIVATE_ADDRESSES=1';

/** The IP address of a URL's host. The URL parser has turned decimal, octal and short forms into it. */
export function literalAddress({ hostname }: URL): string | undefined {
  const address = hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(address) === 0 ? undefined : address;
}

const IN_HISTORIES = 'it would be in every history; use a registered `command` or `function`';

/**
 * The mistake in the URL of an external evaluator, as far as it can be known without a network.
 * @param instead why it may contain no secret, and where secrets belong
 */
export function urlProblem(
  text: string,
  { allowPrivateAddresses = false, hosts }: Pick<ExternalCalls, 'allowPrivateAddresses' | 'hosts'>,
  instead = IN_HISTORIES,
): string | undefined {
  if (!URL.canParse(text)) return 'is no URL';
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'must begin with https:// or http://';
  if (url.username !== '' || url.password !== '') {
    return `must not hold a name or a password: ${instead}`;
  }
  const secret = [...url.searchParams.keys()].find((name) => SECRET_PARAMETER.test(name));
  if (secret !== undefined) {
    return `must not hold a secret ("${secret}"): ${instead}`;
  }
  if (!allowsHost(hosts, url)) {
    const known = hosts!.length === 0 ? 'none' : hosts!.join(', ');
    return `has the host ${url.host}, which this worker does not call; it calls ${known} (\`externalCalls.hosts\` or REFLECT_EXTERNAL_CALLS)`;
  }
  if (allowPrivateAddresses) return undefined;
  const address = literalAddress(url);
  const isLocal = /(?:^|\.)localhost\.?$/i.test(url.hostname);
  if (isLocal || (address !== undefined && !isPublicAddress(address)))
    return `the address ${url.hostname} ${PRIVATE_NOT_ALLOWED}`;
  return undefined;
}
