import { REDACTED } from '../values/redacted.js';

/** Characters by which a secret is recognised before it is compared. No secret is shorter. */
const WINDOW = 8;
const FACTOR = 0x01000193;
/** What the character that leaves the window stands for in the sum. */
const LEAVING = Array.from({ length: WINDOW }).reduce<number>((power) => Math.imul(power, FACTOR), 1);
const BUCKETS = 0x10000;

/**
 * Finds any of many secrets in one pass over a text (Rabin and Karp). Looking for each of them by itself takes a pass for each,
 * and a stranger chooses both: the text, by the body of a request, and the secrets, by its cookies.
 */
export class SecretSearch {
  private readonly bySum = new Map<number, string[]>();
  /** Which buckets hold any, so that nearly all places cost one look. */
  private readonly isTaken = new Uint8Array(BUCKETS);

  /** @param secrets of `WINDOW` characters and more */
  constructor(secrets: Iterable<string>) {
    for (const secret of secrets) {
      let sum = 0;
      for (let i = 0; i < WINDOW; i++) sum = (Math.imul(sum, FACTOR) + secret.charCodeAt(i)) | 0;
      const others = this.bySum.get(sum);
      if (others) others.push(secret);
      else this.bySum.set(sum, [secret]);
      this.isTaken[bucketOf(sum)] = 1;
    }
    // Of two that begin alike the longer one is hidden.
    for (const secrets of this.bySum.values()) secrets.sort((left, right) => right.length - left.length);
  }

  /** Returns one of the secrets that the text contains; undefined if it contains none. */
  find(text: string): string | undefined {
    let sum = 0;
    let left = comparable(text);
    for (let at = 0; at < text.length; at++) {
      sum = this.next(sum, text, at, 0);
      if (at < WINDOW - 1 || this.isTaken[bucketOf(sum)] === 0) continue;
      for (const secret of this.bySum.get(sum) ?? []) {
        const same = sameCharacters(text, at - WINDOW + 1, secret);
        left -= same + 1;
        if (same === secret.length) return secret;
      }
      // The text is made to look like secrets everywhere. Those of the host are looked for this way, which strangers do not choose.
      if (left < 0) return this.all().find((secret) => text.includes(secret));
    }
    return undefined;
  }

  /** Returns the text with all secrets replaced; a text that is made to look like secrets everywhere is hidden as a whole. */
  mask(text: string): string {
    const pieces: string[] = [];
    let done = 0;
    let sum = 0;
    /** Characters that may be compared: beyond that the text is replaced as a whole. */
    let left = comparable(text);
    for (let at = 0, start = 0; at < text.length; at++) {
      sum = this.next(sum, text, at, start);
      if (at - start < WINDOW - 1 || this.isTaken[bucketOf(sum)] === 0) continue;
      const first = at - WINDOW + 1;
      for (const secret of this.bySum.get(sum) ?? []) {
        const same = sameCharacters(text, first, secret);
        left -= same + 1;
        if (left < 0) return REDACTED;
        if (same < secret.length) continue;
        pieces.push(text.slice(done, first), REDACTED);
        done = start = first + secret.length;
        at = done - 1;
        sum = 0;
        break;
      }
    }
    return done === 0 ? text : pieces.join('') + text.slice(done);
  }

  /** The sum of the window that ends there. @param start where the first window began */
  private next(sum: number, text: string, at: number, start: number): number {
    const added = (Math.imul(sum, FACTOR) + text.charCodeAt(at)) | 0;
    return at - start < WINDOW ? added : (added - Math.imul(LEAVING, text.charCodeAt(at - WINDOW))) | 0;
  }

  private all(): string[] {
    return [...this.bySum.values()].flat();
  }
}

/** How many characters of the secret stand there. Only these are paid for: long tokens of one issuer begin alike. */
function sameCharacters(text: string, at: number, secret: string): number {
  let same = 0;
  while (same < secret.length && text.charCodeAt(at + same) === secret.charCodeAt(same)) same++;
  return same;
}

/** How many characters of secrets may be compared with those of a text. */
const comparable = (text: string): number => text.length * 4 + 100_000;

const bucketOf = (sum: number): number => (sum ^ (sum >>> 16)) & (BUCKETS - 1);
