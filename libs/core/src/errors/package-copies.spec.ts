import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { VERSION } from '../this-copy.js';
import { claimPackage } from './package-copies.js';

const FIRST = 'file:///app/node_modules/@acme/a/dist/this-copy.js';
const SECOND = 'file:///app/node_modules/b/node_modules/@acme/a/dist/this-copy.js';

describe('copies of a package', () => {
  it('refuses a second copy and names both', () => {
    claimPackage('@acme/second', '1.2.0', FIRST);
    expect(() => claimPackage('@acme/second', '1.1.0', SECOND)).toThrow(
      expect.objectContaining({
        code: 'WM9203',
        packageName: '@acme/second',
        copies: [
          { version: '1.2.0', url: FIRST },
          { version: '1.1.0', url: SECOND },
        ],
        message: expect.stringMatching(`loaded twice: 1\\.2\\.0 at ${FIRST}, and 1\\.1\\.0 at ${SECOND}`),
      }),
    );
  });

  it('refuses a second copy of the same version', () => {
    claimPackage('@acme/same', '1.2.0', FIRST);
    expect(() => claimPackage('@acme/same', '1.2.0', SECOND)).toThrow(expect.objectContaining({ code: 'WM9203' }));
  });

  it('keeps the first copy after a refusal', () => {
    claimPackage('@acme/kept', '1.2.0', FIRST);
    expect(() => claimPackage('@acme/kept', '1.1.0', SECOND)).toThrow();
    expect(() => claimPackage('@acme/kept', '1.2.0', FIRST)).not.toThrow();
    expect(() => claimPackage('@acme/kept', '1.1.0', SECOND)).toThrow();
  });

  it.each([['?t=1764000000000'], ['?v=abc#x'], ['#x']])('accepts %s as the same file, evaluated again', (suffix) => {
    const name = `@acme/again${suffix}`;
    claimPackage(name, '1.2.0', FIRST);
    expect(() => claimPackage(name, '1.2.0', FIRST + suffix)).not.toThrow();
  });

  it('accepts two packages from one file, as a bundler writes them', () => {
    claimPackage('@acme/bundled-a', '1.2.0', FIRST);
    expect(() => claimPackage('@acme/bundled-b', '1.2.0', FIRST)).not.toThrow();
  });

  it('accepts copies whose URL a bundler has removed', () => {
    claimPackage('@acme/nameless', '1.2.0', undefined);
    expect(() => claimPackage('@acme/nameless', '1.2.0', undefined)).not.toThrow();
  });
});

it('names the version of its package.json', () => {
  const manifest = JSON.parse(readFileSync(path.join(import.meta.dirname, '../../package.json'), 'utf8')) as {
    version: string;
  };
  expect(VERSION).toBe(manifest.version);
});
