import { readFileSync } from 'node:fs';
import * as crypto from 'node:crypto';
import { createRequire } from 'node:module';
import path from 'node:path';
import * as common from '@nestjs/common';
import * as core from '@nestjs/core';

/**
 * `@nestjs/throttler` as specifications import it (moduleNameMapper): CommonJS that requires Nest's ES modules, which Node
 * can and Jest cannot before Node 24.9. The package's own files are run, with those modules in hand.
 */
const KNOWN = {
  '@nestjs/common': common,
  '@nestjs/core': core,
  'node:crypto': crypto,
  crypto,
};
const loaded = new Map();

function load(file) {
  const known = loaded.get(file);
  if (known) return known.exports;
  const module = { exports: {} };
  loaded.set(file, module);
  const find = (name) => {
    if (name.startsWith('.')) return load(path.resolve(path.dirname(file), `${name.replace(/\.js$/, '')}.js`));
    if (name in KNOWN) return KNOWN[name];
    return createRequire(file)(name);
  };
  // oxlint-disable-next-line typescript/no-implied-eval -- what `require` does
  new Function('require', 'module', 'exports', readFileSync(file, 'utf8'))(find, module, module.exports);
  return module.exports;
}

const library = load(path.resolve(import.meta.dirname, '../../node_modules/@nestjs/throttler/dist/index.js'));

export const { getOptionsToken, SkipThrottle, ThrottlerGuard, ThrottlerModule, ThrottlerStorage } = library;
