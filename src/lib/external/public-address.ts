import { BlockList, isIP, isIPv4 } from 'node:net';

/** IANA's special-purpose addresses: this host, private networks, link-local (cloud metadata), shared, documentation, … */
const SPECIAL_IPV4 =
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24 ' +
  '192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4';

/** Global unicast; all others are special, those that hold an IPv4 address among them. */
const GLOBAL_IPV6 = '2000::/3';
/** Inside of it: protocol assignments with Teredo, documentation, 6to4, documentation. */
const SPECIAL_IPV6 = '2001::/23 2001:db8::/32 2002::/16 3fff::/20';

function blockList(networks: string, family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const network of networks.split(' ')) {
    const [address, prefix] = network.split('/');
    list.addSubnet(address!, Number(prefix), family);
  }
  return list;
}

const specialIpv4 = blockList(SPECIAL_IPV4, 'ipv4');
const globalIpv6 = blockList(GLOBAL_IPV6, 'ipv6');
const specialIpv6 = blockList(SPECIAL_IPV6, 'ipv6');

/** Returns whether an address can be reached from all of the internet; false for a text that is not an address, too. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false;
  if (isIPv4(address)) return !specialIpv4.check(address, 'ipv4');
  // Without its zone, which only link-local addresses have.
  const plain = address.split('%', 1)[0]!;
  return globalIpv6.check(plain, 'ipv6') && !specialIpv6.check(plain, 'ipv6');
}
