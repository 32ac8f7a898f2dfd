import { BlockList, isIP, isIPv6 } from 'node:net';

/** Addresses that no public server has: what they reach depends on the network of this host. */
const NOT_PUBLIC = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  // The metadata service of Azure has an address outside of the reserved ranges; those of other clouds are within them.
  '168.63.129.16/32',
  // IPv6 addresses that a network translates to IPv4: any address above may be behind them.
  '2001::/32',
  '2002::/16',
  '2001:10::/28',
  '2001:20::/28',
  '2001:db8::/32',
  '3fff::/20',
];
/** Global unicast addresses, and IPv4 addresses written as IPv6. All others are local, translated, or not assigned. */
const PUBLIC_IPV6 = ['2000::/3', '::ffff:0:0/96'];

const notPublic = listOf(NOT_PUBLIC);
const publicIPv6 = listOf(PUBLIC_IPV6);

/** @param address as the system resolved it, or as it stands in a URL, without brackets */
export const isPublicAddress = (address: string): boolean =>
  isIP(address) !== 0 && !includes(notPublic, address) && (!isIPv6(address) || includes(publicIPv6, address));

/** Also finds IPv4 addresses that are written as IPv6 (`::ffff:10.0.0.1`). */
export function includes(list: BlockList, address: string): boolean {
  const bare = address.split('%', 1)[0]!;
  return list.check(bare, isIPv6(bare) ? 'ipv6' : 'ipv4');
}

/** @param entries addresses and ranges (`10.1.0.0/16`, `fd00::1`) @throws RangeError for what is neither */
export function listOf(entries: readonly string[]): BlockList {
  const list = new BlockList();
  for (const entry of entries) {
    const { address, family, bits } = rangeOf(entry) ?? fail(entry);
    list.addSubnet(address, bits, family);
  }
  return list;
}

function fail(entry: string): never {
  throw new RangeError(`'${entry}' is neither an address nor a range of addresses such as 10.1.0.0/16.`);
}

/** Undefined: it is not an address, so it may be a name. */
export function rangeOf(entry: string) {
  const [given = '', length] = entry.trim().split('/', 2);
  const address = given.replace(/^\[(.*)\]$/, '$1');
  const version = isIP(address);
  if (version === 0) return undefined;
  const most = version === 6 ? 128 : 32;
  const bits = length === undefined ? most : /^\d{1,3}$/.test(length) ? Number(length) : NaN;
  if (!(bits <= most)) return undefined;
  return { address, bits, family: version === 6 ? ('ipv6' as const) : ('ipv4' as const) };
}
