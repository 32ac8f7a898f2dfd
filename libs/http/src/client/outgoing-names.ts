import { lookup, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { performance } from 'node:perf_hooks';
import { TurnsOfDomains } from './turns-of-domains.js';

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
/** A look-up that failed after this time has kept a thread from others. */
const SLOW_MS = 1000;
/** For so long its name is not looked up again: its requests get the same error at once. */
const REFUSED_MS = 30_000;
/** So many such names are remembered. */
const MOST_REFUSED = 1000;

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
 * 3. A name that could not be resolved, which took long to find out, fails at once for half a minute: requests repeated to it would
 *    keep all others waiting.
 * 4. Names that wait take turns by their domain, those of a slow one after all others: requests may have made up the names.
 */
export class OutgoingNames {
  private readonly asked = new Map<string, Callback[]>();
  private readonly waiting: TurnsOfDomains;
  private readonly refused = new Map<string, { readonly until: number; readonly error: NodeJS.ErrnoException }>();
  private underWay = 0;

  /** @param most look-ups at the same time @param now monotonic, in milliseconds of real time, which threads take */
  constructor(
    private readonly system: Resolve = lookup,
    private readonly most = lookupsAtOnce(),
    private readonly now: () => number = () => performance.now(),
  ) {
    this.waiting = new TurnsOfDomains(MOST_WAITING, now);
  }

  readonly resolve: Resolve = (hostname, options, callback) => {
    const key = JSON.stringify([hostname.toLowerCase(), options.family, options.hints]);
    const others = this.asked.get(key);
    if (others) return void others.push(callback);
    const refusal = this.refused.get(key);
    if (refusal && this.now() < refusal.until) return callback(refusal.error, []);
    const callers = [callback];
    this.asked.set(key, callers);
    let beganAt = 0;
    const answer: Callback = (error, addresses) => {
      this.underWay--;
      this.refused.delete(key);
      if (this.now() - beganAt >= SLOW_MS) {
        this.waiting.noteSlow(hostname);
        if (error) this.refuse(key, error);
      }
      this.asked.delete(key);
      for (const caller of callers) caller(error, addresses);
      if (this.underWay < this.most) this.waiting.next();
    };
    const begin = (): void => {
      this.underWay++;
      beganAt = this.now();
      try {
        this.system(hostname, options, answer);
      } catch (error) {
        answer(error as NodeJS.ErrnoException, []);
      }
    };
    if (this.underWay < this.most) begin();
    else
      this.waiting.add(hostname, {
        begin,
        refuse: () => {
          this.asked.delete(key);
          for (const caller of callers) caller(tooMany(hostname), []);
        },
      });
  };

  private refuse(key: string, error: NodeJS.ErrnoException): void {
    this.refused.set(key, { until: this.now() + REFUSED_MS, error });
    if (this.refused.size > MOST_REFUSED) this.refused.delete(this.refused.keys().next().value!);
  }

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
