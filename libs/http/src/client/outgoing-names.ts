import { lookup, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';

interface Asked {
  readonly all: true;
  readonly family?: number;
  readonly hints?: number;
}

type Callback = (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void;

/** Resolves names. */
export type Resolve = (hostname: string, options: Asked, callback: Callback) => void;

/** Names that wait for their turn. Beyond, requests fail as those whose name cannot be resolved. */
const MOST_WAITING = 1000;

/**
 * Of the threads with which Node does what blocks, at most half resolve names, for the whole process: two, unless
 * `UV_THREADPOOL_SIZE` says otherwise. The others of them are left to connections of the application, above all to its database.
 */
function lookupsAtOnce(): number {
  const threads = Number(process.env.UV_THREADPOOL_SIZE ?? 4);
  const forNames = Math.floor((threads + 1) / 2);
  return forNames > 1 ? forNames - 1 : 1;
}

/**
 * Resolves the names of outgoing requests. A name server that does not answer takes ten seconds and longer for each look-up, which
 * nothing can end, also when its request was given up. Some workflows that call such a name would keep the process from resolving
 * any other, and so from the next connection to its database.
 *
 * 1. Requests to one name at the same time share a look-up.
 * 2. Look-ups of workflows never use all that the process has for names.
 */
export class OutgoingNames {
  private readonly asked = new Map<string, Callback[]>();
  private readonly waiting: (() => void)[] = [];
  private underWay = 0;

  /** @param most look-ups at the same time */
  constructor(
    private readonly system: Resolve = lookup,
    private readonly most = lookupsAtOnce(),
  ) {}

  readonly resolve: Resolve = (hostname, options, callback) => {
    const key = JSON.stringify([hostname.toLowerCase(), options.family, options.hints]);
    const others = this.asked.get(key);
    if (others) return void others.push(callback);
    if (this.waiting.length >= MOST_WAITING) return callback(tooMany(hostname), []);
    const callers = [callback];
    this.asked.set(key, callers);
    const answer: Callback = (error, addresses) => {
      this.underWay--;
      this.asked.delete(key);
      for (const caller of callers) caller(error, addresses);
      if (this.underWay < this.most) this.waiting.shift()?.();
    };
    const begin = (): void => {
      this.underWay++;
      try {
        this.system(hostname, options, answer);
      } catch (error) {
        answer(error as NodeJS.ErrnoException, []);
      }
    };
    if (this.underWay < this.most) begin();
    else this.waiting.push(begin);
  };

  /** For requests of `node:http`. */
  readonly lookup: LookupFunction = (hostname, options, callback) => {
    this.resolve(hostname, askedOf(options), (error, found) => {
      if (error) return callback(error, '');
      if (options.all) return callback(null, found);
      callback(null, found[0]!.address, found[0]!.family);
    });
  };
}

/** All addresses, of the family that is asked for. */
export function askedOf({ family, hints }: Parameters<LookupFunction>[1]): Asked {
  return { all: true, ...(typeof family === 'number' && { family }), ...(hints && { hints }) };
}

function tooMany(hostname: string): NodeJS.ErrnoException {
  const error: NodeJS.ErrnoException = new Error(
    `getaddrinfo EAI_AGAIN ${hostname}: too many names wait to be resolved`,
  );
  error.code = 'EAI_AGAIN';
  return error;
}
