import { isIP } from 'node:net';
import { SettingsError, shown } from './settings-error.js';

/** How many proxies stand in front of the host, or their addresses; false: none, clients connect themselves. */
export type TrustedProxies = false | number | string;

/** Names that Fastify knows for ranges of addresses. */
const RANGES = new Set(['loopback', 'linklocal', 'uniquelocal']);
const MOST_HOPS = 16;

/**
 * `WAYMARK_TRUST_PROXY`. Trust in all clients is not offered: each could say what its address is.
 * @throws SettingsError
 */
export function readTrustedProxies(text: string | undefined): TrustedProxies {
  const given = text?.trim();
  if (!given || given === '0') return false;
  if (/^\d+$/.test(given) && Number(given) <= MOST_HOPS) return Number(given);
  const addresses = given.split(',').map((address) => address.trim());
  if (addresses.every(isRange)) return addresses.join(',');
  throw new SettingsError(
    `WAYMARK_TRUST_PROXY is how many proxies stand in front of the host (1 to ${MOST_HOPS}), or a list of their addresses, such as "10.0.0.7,10.1.0.0/16" or "loopback", not ${shown(given)}.`,
  );
}

function isRange(text: string): boolean {
  if (RANGES.has(text)) return true;
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}
