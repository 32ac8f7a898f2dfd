import { isIP, type LookupFunction } from 'node:net';
import { InvalidOptionError } from '@waymark/core';
import { withoutCredentials } from '@waymark/core/adapter';
import { includes, isPublicAddress, listOf, rangeOf } from './address-ranges.js';
import { type Agent, OutgoingAgents } from './outgoing-agents.js';
import { OutgoingAddressRefusedError } from './outgoing-errors.js';
import { askedOf, OutgoingNames, type Resolve } from './outgoing-names.js';

/** The addresses to which outgoing requests are allowed. */
export interface OutgoingAddressOptions {
  /**
   * `any` allows all addresses. `public` refuses this machine, private networks, link-local and metadata addresses, except
   * those in `allow`; use it if the authors of definitions must not reach your network. @default 'any'
   */
  addresses?: 'any' | 'public' | undefined;
  /**
   * Exceptions that `public` allows. Names (`reports.internal`, `*.internal`), which may then resolve to any
   * address, addresses and ranges (`10.1.0.0/16`). @default none
   */
  allow?: readonly string[] | undefined;
}

const NAME = /^(\*\.)?[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*$/;

/**
 * Keeps outgoing requests from addresses that are not public. The check is made where names become addresses, and the connection
 * goes to the addresses that were checked: a name that resolves to something else a moment later gains nothing. It is made for
 * each request anew, and so for each redirect.
 */
export class OutgoingAddresses {
  private readonly names: readonly string[];
  private readonly allowed: ReturnType<typeof listOf>;
  // Of its own: pooled connections of others in this process to the same name were not checked.
  private readonly agents = new OutgoingAgents();

  private constructor(
    allow: readonly string[],
    private readonly resolve: Resolve,
  ) {
    this.allowed = listOf(allow.filter((entry) => rangeOf(entry)));
    this.names = allow.filter((entry) => !rangeOf(entry)).map(nameOf);
  }

  /** @returns undefined when requests may go everywhere @throws InvalidOptionError (`WM1090`) for an entry that allows nothing */
  static of(
    { addresses = 'any', allow = [] }: OutgoingAddressOptions = {},
    resolve: Resolve = new OutgoingNames().resolve,
  ): OutgoingAddresses | undefined {
    if (addresses !== 'any' && addresses !== 'public')
      throw new InvalidOptionError(
        'WorkflowModule',
        'http.outgoing.addresses',
        "'any' or 'public'",
        `'${String(addresses)}'`,
      );
    const checked = new OutgoingAddresses(allow, resolve);
    return addresses === 'any' ? undefined : checked;
  }

  /**
   * Options of `http.request` for that URL.
   * @param isRepeated whether a request is sent again when a connection that was used before breaks
   * @throws OutgoingAddressRefusedError (`WM5030`) for an address that may not be reached
   */
  requestOptions(url: URL, isRepeated = true): { agent: Agent; lookup: LookupFunction } {
    // Parsing the URL has normalized the address, however it was written (0x7f.1, 2130706433).
    const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
    if (isIP(host) !== 0) this.require(host, [host]);
    return { agent: this.agents.of(url, isRepeated), lookup: this.lookup };
  }

  private readonly lookup: LookupFunction = (hostname, options, callback) => {
    this.resolve(hostname, askedOf(options), (error, found) => {
      if (error) return callback(error, '');
      const addresses = found.map(({ address }) => address);
      try {
        this.require(hostname, addresses);
      } catch (refused) {
        return callback(refused as Error, '');
      }
      if (options.all) return callback(null, found);
      callback(null, found[0]!.address, found[0]!.family);
    });
  };

  /** Refuses a name when any of its addresses is refused: it is not known which one will be connected to. */
  private require(host: string, addresses: readonly string[]): void {
    if (this.isAllowedName(host)) return;
    if (
      addresses.length > 0 &&
      addresses.every((address) => includes(this.allowed, address) || isPublicAddress(address))
    )
      return;
    throw new OutgoingAddressRefusedError(host);
  }

  private isAllowedName(host: string): boolean {
    const name = host.toLowerCase().replace(/\.$/, '');
    return this.names.some((allowed) =>
      allowed.startsWith('*.') ? name.endsWith(allowed.slice(1)) : name === allowed,
    );
  }
}

function nameOf(entry: string): string {
  const name = entry.trim().toLowerCase().replace(/\.$/, '');
  if (NAME.test(name)) return name;
  throw new InvalidOptionError(
    'WorkflowModule',
    'http.outgoing.allow',
    'names, addresses and ranges of addresses such as 10.1.0.0/16',
    `'${withoutCredentials(entry)}'`,
  );
}
