import { REDACTED } from '../values/redacted.js';
import { SecretSearch } from './secret-search.js';

/** Shorter texts are not looked for inside of others: they would be found in half of all words. */
export const MIN_LENGTH = 8;
/** Up to so many are looked for one by one, which is how most texts are searched in the shortest time. */
const FEW = 4;
/**
 * Up to here the search of the language looks at each character of a text a few times only. For a longer part such as `baaa…` in `aaaa…` it
 * takes the product of both lengths, and a stranger chooses both: a cookie of 7 kB and a body of 10 MB took half a minute.
 */
const SHORT_SECRET = 200;
/** So many places of a text are tried in no time, whatever is looked for. */
const FEW_PLACES = 16;

/** A longer text is looked through once, though several records and a log entry of a burst show it one after another. */
const LONG_TEXT = 100_000;

/** Texts that are not shown, and what looks for them: in a time that grows with the sum of all lengths, whatever they are. */
export class HiddenTexts {
  private readonly texts: readonly string[];
  private readonly shortest: number;
  private readonly longest: number;
  private search: SecretSearch | undefined;
  private last: { readonly text: string; readonly masked: string } | undefined;

  /** @param texts those of fewer than eight characters are not looked for */
  constructor(texts: Iterable<string>) {
    this.texts = [...texts].filter((text) => text.length >= MIN_LENGTH && text !== REDACTED);
    this.shortest = this.texts.reduce((least, { length }) => Math.min(least, length), Infinity);
    this.longest = this.texts.reduce((most, { length }) => Math.max(most, length), 0);
  }

  /** Returns the text with each of them replaced. */
  mask(text: string): string {
    if (text.length < this.shortest) return text;
    if (text.length <= LONG_TEXT) return this.maskNow(text);
    if (this.last?.text !== text) this.last = { text, masked: this.maskNow(text) };
    return this.last.masked;
  }

  private maskNow(text: string): string {
    if (this.texts.length <= FEW && this.isQuick(text)) return maskEach(this.texts, text);
    return (this.search ??= new SecretSearch(this.texts)).mask(text);
  }

  /** Returns true if the text has one of them in it; also if it is made to look so everywhere. */
  areIn(text: string): boolean {
    return this.mask(text) !== text;
  }

  private isQuick(text: string): boolean {
    if (text.length <= SHORT_SECRET || this.longest <= SHORT_SECRET) return true;
    return this.texts.every(({ length }) => length <= SHORT_SECRET || text.length - length < FEW_PLACES);
  }
}

function maskEach(secrets: readonly string[], text: string): string {
  let masked = text;
  const found = secrets.filter((secret) => text.includes(secret));
  // The longest first: the rest of one that begins like another would stay.
  if (found.length > 1) found.sort((left, right) => right.length - left.length);
  for (const secret of found) masked = masked.replaceAll(secret, REDACTED);
  return masked;
}
