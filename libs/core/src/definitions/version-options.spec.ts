import { describe, expect, it } from '@jest/globals';
import { matchesVersion, parseVersionOptions } from './version-options.js';

describe('parseVersionOptions', () => {
  it.each(['Latest', 'Published', 'LatestOrPublished', 'LatestAndPublished', 'Draft', 'AllVersions'] as const)(
    'reads %s in any casing',
    (name) => {
      expect(parseVersionOptions(name)).toBe(name);
      expect(parseVersionOptions(` ${name.toUpperCase()} `)).toBe(name);
    },
  );

  it('reads version numbers', () => {
    expect(parseVersionOptions('12')).toBe(12);
  });

  it.each(['', 'Newest', '1.5', '-1', '1e3', '99999999999', 'constructor'])('refuses %j', (text) => {
    expect(parseVersionOptions(text)).toBeUndefined();
  });
});

describe('matchesVersion', () => {
  const version = (number: number, isLatest: boolean, isPublished: boolean) => ({
    version: number,
    isLatest,
    isPublished,
  });
  // In the order: old draft, published below a draft, draft, published latest.
  const versions = [version(1, false, false), version(2, false, true), version(3, true, false), version(4, true, true)];

  it.each([
    ['Latest', [3, 4]],
    ['Published', [2, 4]],
    ['LatestOrPublished', [2, 3, 4]],
    ['LatestAndPublished', [4]],
    ['Draft', [1, 3]],
    ['AllVersions', [1, 2, 3, 4]],
    [2, [2]],
  ] as const)('%s selects %j', (options, expected) => {
    expect(versions.filter((v) => matchesVersion(v, options)).map((v) => v.version)).toEqual(expected);
  });
});
