import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { BurstSecrets } from './burst-secrets.js';
import { HiddenTexts } from './hidden-texts.js';

/** Where the search of the language compares all of the secret at each place: more than two seconds for the shortest of them. */
const secretOf = (length: number): string => `b${'a'.repeat(length - 1)}`;
const textFor = (secret: string, length: number): string => `${secret.slice(0, -1)}c`.repeat(8) + 'a'.repeat(length);

/** Milliseconds of the processor. */
function costOf(work: () => void): number {
  const { user, system } = process.cpuUsage();
  work();
  const after = process.cpuUsage();
  return (after.user + after.system - user - system) / 1000;
}

describe('the search for texts that are not shown', () => {
  it.each<
    [string, number, (secrets: BurstSecrets, secret: string) => void, (secrets: BurstSecrets, text: string) => void]
  >([
    [
      'a cookie of 7 kB',
      7000,
      (secrets, secret) => secrets.receiveHeader('cookie', secret),
      (secrets, text) => secrets.mask(text),
    ],
    [
      'an encrypted value of 500 kB',
      500_000,
      (secrets, secret) => secrets.encrypt(secret),
      (secrets, text) => secrets.hasEncryptedIn(text),
    ],
    [
      'a secret of the host',
      9000,
      (secrets, secret) => secrets.name(secret, 'key'),
      (secrets, text) => secrets.withoutNamed(text),
    ],
  ])('%s costs the sum of the lengths, not their product', (_name, length, note, look) => {
    const secrets = new BurstSecrets();
    const secret = secretOf(length);
    note(secrets, secret);
    const text = textFor(secret, 1_000_000);
    expect(costOf(() => look(secrets, text))).toBeLessThan(1000);
  });

  it('finds each of two hundred encrypted values, also what was noted after a search', () => {
    const secrets = new BurstSecrets();
    const values = Array.from({ length: 199 }, (_, i) => `${i}`.padStart(3, '0') + 'x'.repeat(20));
    secrets.encrypt(values);
    const last = 'noted later';
    const found = () => [...values, last].filter((value) => secrets.hasEncryptedIn(`to ${value}`)).length;
    expect(found()).toBe(199);
    secrets.encrypt(last);
    expect(found()).toBe(200);
    expect(secrets.hasEncryptedIn('x'.repeat(100))).toBe(false);
  });

  it('finds a long secret, at any place and in a text that is as long', () => {
    const secret = `${'eyJhbGciOiJSUzI1NiJ9.'.repeat(20)}end`;
    const hidden = new HiddenTexts([secret, 'shorter-secret']);
    expect(hidden.mask(secret)).toBe('(redacted)');
    expect(hidden.mask(`${'x'.repeat(5)}${secret}`)).toBe('xxxxx(redacted)');
    expect(hidden.mask(`${'x'.repeat(5000)}${secret}${'y'.repeat(5000)}shorter-secret`)).toBe(
      `${'x'.repeat(5000)}(redacted)${'y'.repeat(5000)}(redacted)`,
    );
    expect(hidden.mask(`${secret.slice(0, -1)}${'x'.repeat(50)}`)).toBe(`${secret.slice(0, -1)}${'x'.repeat(50)}`);
    expect([hidden.areIn(`a ${secret}`), hidden.areIn('x'.repeat(1000)), hidden.areIn('short')]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('does not hide tokens of one issuer, which begin like a long secret', () => {
    const header = 'eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCJ9.';
    const hidden = new HiddenTexts([header + 'k'.repeat(8000)]);
    const tokens = Array.from({ length: 200 }, (_, i) => `${header}${i}`).join('\n');
    expect(hidden.mask(tokens)).toBe(tokens);
  });

  it('hides the same whatever looks for it', () => {
    const letters = (minLength: number, maxLength: number) =>
      fc.string({ unit: fc.constantFrom('a', 'b'), minLength, maxLength });
    const long = letters(4, 12).map((text) => text.repeat(60));
    fc.assert(
      fc.property(
        fc.array(long, { minLength: 1, maxLength: 3 }),
        letters(0, 300),
        letters(0, 300),
        (secrets, before, after) => {
          const hidden = new HiddenTexts(secrets);
          const masked = hidden.mask(before + secrets[0]! + after);
          expect(secrets.some((secret) => masked.includes(secret))).toBe(false);
          const plain = before + after;
          expect(hidden.areIn(plain)).toBe(secrets.some((secret) => plain.includes(secret)));
        },
      ),
    );
  });
});
