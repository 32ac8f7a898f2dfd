import { REDACTED } from '../values/redacted.js';
import { escapedForms } from './escaped-forms.js';

/** Characters in a row by which a part of a secret is recognised. Shorter runs stand in ordinary words. */
const FRAGMENT = 8;
/** Characters of a text in which fragments are looked for. Stored faults keep fewer. */
const MAX_TEXT = 100_000;
/** Characters of all secrets that one text is compared with: where there are more, the text is hidden as a whole. */
const MAX_SECRETS = 2_000_000;
const FACTOR = 0x01000193;
/** What the character that leaves the window stands for in the sum. */
const LEAVING = Array.from({ length: FRAGMENT }).reduce<number>((power) => Math.imul(power, FACTOR), 1);
/** Words that a secret has as well, such as `workflow` in a URL, are hidden only if so many characters are the same. */
const LONG_WORDS = 16;
const WORDS = /^[\p{L}\s.,:;!?'"()/_-]*$/u;
const INNER_CAPITAL = /\p{Ll}\p{Lu}|\p{Lu}{2}/u;
/** Different tokens that one error quotes: that of a runtime has one or two. */
const MOST_TOKENS = 50;
const SCHEME = /^[a-z][a-z0-9+.-]{0,30}:\/\//;
/** What `JSON.parse` quotes of its text: all of a short one, or ten characters before and after the place. */
const JSON_QUOTE = /(?:\.{3})?"[^]{0,60}?"(?:\.{3})? is not valid JSON/g;
/** A word that an error quotes, such as the name that an evaluated text begins with. */
const QUOTED_WORD = /(['"`])([\w$]{4,7})\1/g;
/** What the sandbox quotes from anywhere in a text that it reads as JSON or as a script. */
const QUOTED_TOKEN = /unexpected token: '([^'\r\n]{2,7})'|'([^'\r\n]{2,7})' is not defined/g;

/**
 * The text of an error without parts of the secrets: runtimes quote the beginning of what they could not read, shorten long names and
 * write hosts in small letters. Case does not count. Some passes over the text, and one over the secrets.
 * @param text without whole secrets
 * @param names of secrets: errors quote them to say which one, and a secret may begin like its name
 */
export function maskFragments(text: string, secrets: Iterable<string>, names: ReadonlySet<string>): string {
  const known = [...secrets];
  // Before anything is looked for: a caller may choose both, the text and what it brings as a secret.
  if (known.reduce((total, { length }) => total + length, 0) > MAX_SECRETS) return REDACTED;
  const isLong = text.length > MAX_TEXT;
  const lowered = known.flatMap(comparable);
  const words = withoutQuotes(isLong ? text.slice(0, MAX_TEXT) : text, lowered, names);
  const found = new Fragments(words.toLowerCase());
  for (const secret of lowered) found.search(secret);
  return found.hide(words) + (isLong ? `…${REDACTED}` : '');
}

/** Without what an error quotes of a secret, which may be shorter than a fragment. */
function withoutQuotes(text: string, secrets: readonly string[], names: ReadonlySet<string>): string {
  const begins = verdicts((word) => secrets.some((secret) => secret.startsWith(word)));
  const isPart = verdicts((token) => secrets.some((secret) => secret.includes(token)), MOST_TOKENS);
  return (
    text
      // One that the parser was given within another text may be quoted with less than what is recognised.
      .replaceAll(JSON_QUOTE, `"${REDACTED}" is not valid JSON`)
      .replaceAll(QUOTED_WORD, (whole, quote: string, word: string) =>
        !names.has(word) && !isOrdinary(word) && begins(word.toLowerCase()) ? `${quote}${REDACTED}${quote}` : whole,
      )
      .replaceAll(QUOTED_TOKEN, (whole, token: string | undefined, name: string) => {
        const quoted = token ?? name;
        return isPart(quoted.toLowerCase()) ? whole.replace(`'${quoted}'`, () => `'${REDACTED}'`) : whole;
      })
  );
}

/** Each text is judged once. @param most beyond so many different ones, all are taken for parts of a secret */
function verdicts(judge: (text: string) => boolean, most = Infinity): (text: string) => boolean {
  const known = new Map<string, boolean>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const verdict = known.size >= most || judge(text);
    known.set(text, verdict);
    return verdict;
  };
}

/** Returns true if it reads like words of a sentence, and not like a key: no digits, and capitals only where a word begins. */
const isOrdinary = (text: string): boolean => WORDS.test(text) && !INNER_CAPITAL.test(text);

/** The secret and its escaped forms: in one case, and without the scheme that URLs share. */
function comparable(secret: string): string[] {
  return [secret, ...escapedForms(secret)].map((form) => form.toLowerCase().replace(SCHEME, ''));
}

/** The fragments of a text, and which of them stand in a secret. */
class Fragments {
  private readonly isSecret = new Map<string, boolean>();
  /** Which sums there are, so that nearly all places of a secret cost one look. */
  private readonly sums: Uint8Array;
  private readonly mask: number;
  private found = 0;

  constructor(private readonly text: string) {
    let size = 1024;
    while (size < text.length * 16) size *= 2;
    this.mask = size - 1;
    this.sums = new Uint8Array(size);
    eachWindow(text, (start, sum) => {
      this.sums[this.placeOf(sum)] = 1;
      this.isSecret.set(text.slice(start, start + FRAGMENT), false);
    });
  }

  search(secret: string): void {
    if (this.found === this.isSecret.size) return;
    eachWindow(secret, (start, sum) => {
      if (this.sums[this.placeOf(sum)] === 0) return;
      const fragment = secret.slice(start, start + FRAGMENT);
      if (this.isSecret.get(fragment) !== false) return;
      this.isSecret.set(fragment, true);
      this.found++;
    });
  }

  /** @param shown the text as it was, in its own case */
  hide(shown: string): string {
    if (this.found === 0) return shown;
    // A few letters are longer in small ones: places would not match.
    if (shown.length !== this.text.length) return REDACTED;
    const pieces: string[] = [];
    let done = 0;
    for (let at = 0; at + FRAGMENT <= shown.length; at++) {
      if (!this.isSecretAt(at)) continue;
      const begin = at;
      let end = at + FRAGMENT;
      for (at++; at <= end && at + FRAGMENT <= shown.length; at++) if (this.isSecretAt(at)) end = at + FRAGMENT;
      at = end - 1;
      const run = shown.slice(begin, end);
      if (run.length < LONG_WORDS && isOrdinary(run)) continue;
      pieces.push(shown.slice(done, begin), REDACTED);
      done = end;
    }
    return pieces.join('') + shown.slice(done);
  }

  private isSecretAt(at: number): boolean {
    return this.isSecret.get(this.text.slice(at, at + FRAGMENT)) === true;
  }

  private placeOf(sum: number): number {
    return (sum ^ (sum >>> 16)) & this.mask;
  }
}

function eachWindow(text: string, visit: (start: number, sum: number) => void): void {
  let sum = 0;
  for (let at = 0; at < text.length; at++) {
    sum = (Math.imul(sum, FACTOR) + text.charCodeAt(at)) | 0;
    if (at >= FRAGMENT) sum = (sum - Math.imul(LEAVING, text.charCodeAt(at - FRAGMENT))) | 0;
    if (at >= FRAGMENT - 1) visit(at - FRAGMENT + 1, sum);
  }
}
