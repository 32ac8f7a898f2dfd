import { createHash } from 'node:crypto';
import { TooManyLoginsError } from '../answers/api-errors.js';
import type { ResolvedLoginLimits } from '../module/api-options.js';

/** Who guesses, and whose secret. */
export interface Attempt {
  /** A user name, or an API key; undefined: an unknown key. */
  readonly subject: string | undefined;
  /** Of the client; undefined: unknown. */
  readonly address: string | undefined;
}

interface Failures {
  count: number;
  /** Nothing is tried before. */
  blockedUntil: number;
  last: number;
}

const SHORTEST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = { subject: 60_000, address: 900_000 };
/** Failures that are older do not count. */
const FORGOTTEN_AFTER_MS = 900_000;
/** Of each kind. A guesser who changes names or addresses pushes out the oldest, not more memory in. */
const MOST_ENTRIES = 10_000;

/**
 * Slows down who guesses passwords and keys.
 *
 * 1. After some failures each further one doubles the time in which nothing is tried: for one subject up to a minute, for one
 *    address up to a quarter of an hour. An attempt in that time is refused unseen, whether it is right or wrong.
 * 2. Who keeps a user out by guessing does not do so where the user was let in before: there, only the address counts.
 * 3. What is kept is bounded, and of names and addresses only digests.
 */
export class LoginThrottle {
  private readonly bySubject = new Map<string, Failures>();
  private readonly byAddress = new Map<string, Failures>();
  private readonly trusted = new Map<string, true>();

  constructor(private readonly limits: ResolvedLoginLimits | false) {}

  /** @param now monotonic, in milliseconds @throws TooManyLoginsError */
  require(attempt: Attempt, now: number): void {
    if (this.limits === false) return;
    const { subject, address } = keysOf(attempt);
    const waits = [
      this.isTrusted(attempt) ? -Infinity : (this.bySubject.get(subject)?.blockedUntil ?? -Infinity),
      attempt.address === undefined ? -Infinity : (this.byAddress.get(address)?.blockedUntil ?? -Infinity),
    ];
    const waitMs = Math.max(...waits) - now;
    if (waitMs > 0) throw new TooManyLoginsError(Math.ceil(waitMs / 1000));
  }

  /** It succeeded from there before. */
  isTrusted(attempt: Attempt): boolean {
    const { subject, address } = keysOf(attempt);
    return attempt.subject !== undefined && this.trusted.has(subject + address);
  }

  failed(attempt: Attempt, now: number): void {
    if (this.limits === false) return;
    const { subject, address } = keysOf(attempt);
    if (attempt.subject !== undefined)
      count(this.bySubject, subject, now, this.limits.accountFailures, LONGEST_WAIT_MS.subject);
    if (attempt.address === undefined) return;
    count(this.byAddress, address, now, this.limits.addressFailures, LONGEST_WAIT_MS.address);
  }

  /** The failures of the address still count: else one account of its own would let a guesser continue. */
  succeeded(attempt: Attempt): void {
    if (this.limits === false) return;
    const { subject, address } = keysOf(attempt);
    this.bySubject.delete(subject);
    if (attempt.address !== undefined) keep(this.trusted, subject + address, true);
  }
}

function count(map: Map<string, Failures>, key: string, now: number, free: number, longestMs: number): void {
  const known = map.get(key);
  const failures = known && now - known.last < FORGOTTEN_AFTER_MS ? known.count + 1 : 1;
  const waitMs = failures < free ? 0 : Math.min(longestMs, SHORTEST_WAIT_MS * 2 ** Math.min(failures - free, 20));
  keep(map, key, { count: failures, blockedUntil: now + waitMs, last: now });
}

/** The newest stand at the end of the map, the oldest go first. */
function keep<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  map.set(key, value);
  if (map.size > MOST_ENTRIES) map.delete(map.keys().next().value!);
}

const keysOf = ({ subject, address }: Attempt) => ({
  subject: digest(subject ?? ''),
  address: digest(networkOf(address ?? '')),
});

const digest = (text: string): string => createHash('sha256').update(text).digest('base64');

/** Who has one address of IPv6 has the 2^64 beside it. */
function networkOf(address: string): string {
  if (!address.includes(':') || /^::ffff:\d+\./i.test(address)) return address.replace(/^::ffff:/i, '');
  const [head = '', tail] = address.split('::');
  const groups = head.split(':').filter((group) => group !== '');
  const rest = tail === undefined ? [] : tail.split(':').filter((group) => group !== '');
  const zeros = tail === undefined ? [] : Array<string>(Math.max(0, 8 - groups.length - rest.length)).fill('0');
  return [...groups, ...zeros, ...rest].slice(0, 4).join(':');
}
