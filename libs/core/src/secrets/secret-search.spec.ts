import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { SecretSearch } from './secret-search.js';

describe('the search for secrets', () => {
  it('hides each of them, the longest where several begin', () => {
    const search = new SecretSearch(['abcdefgh', 'abcdefghij', 'secret-1', 'secret-22']);
    expect(search.mask('abcdefghij|abcdefghi|abcdefg')).toBe('(redacted)|(redacted)i|abcdefg');
    expect(search.mask('secret-1secret-1 and secret-22')).toBe('(redacted)(redacted) and (redacted)');
    const text = 'nothing of that sort';
    expect(search.mask(text)).toBe(text);
    expect(search.mask('')).toBe('');
  });

  it('finds what looking for one after the other finds', () => {
    // Of two letters, so that secrets overlap with themselves and with each other.
    const letters = (minLength: number, maxLength: number) =>
      fc.string({ unit: fc.constantFrom('a', 'b'), minLength, maxLength });
    const cases = fc.tuple(fc.uniqueArray(letters(8, 12), { minLength: 1, maxLength: 8 }), letters(0, 60));
    fc.assert(
      fc.property(cases, ([secrets, text]) => {
        const masked = new SecretSearch(secrets).mask(text);
        expect(secrets.some((secret) => masked.includes(secret))).toBe(false);
        const isThere = secrets.some((secret) => text.includes(secret));
        expect(masked === text).toBe(!isThere);
      }),
    );
  });

  it('hides a text as a whole that looks like secrets everywhere', () => {
    const secrets = Array.from({ length: 200 }, (_, i) => `${'a'.repeat(200)}${i}`);
    expect(new SecretSearch(secrets).mask('a'.repeat(100_000))).toBe('(redacted)');
    expect(new SecretSearch(secrets).mask(`${'x'.repeat(100_000)}${secrets[7]}`)).toBe(
      `${'x'.repeat(100_000)}(redacted)`,
    );
  });
});
