import { readFileSync } from 'node:fs';
import path from 'node:path';
import { claimPackage } from '@waymark/core/adapter';
import { expect, it } from '@jest/globals';
import { VERSION } from './this-copy.js';

it('names the version of its package.json', () => {
  const manifest = JSON.parse(readFileSync(path.join(import.meta.dirname, '../package.json'), 'utf8')) as {
    version: string;
  };
  expect(VERSION).toBe(manifest.version);
});

it.each(['@waymark/core', '@waymark/runtime'])(
  'refuses another copy of %s than the one that tests have loaded',
  (name) => {
    expect(() => claimPackage(name, VERSION, 'file:///elsewhere/index.js')).toThrow(
      expect.objectContaining({ code: 'WM9203', packageName: name }),
    );
  },
);
