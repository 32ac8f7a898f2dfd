const { createHash } = require('node:crypto');
const { mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const path = require('node:path');
const { fileURLToPath } = require('node:url');
const OPTIONS = require('./swc-options.cjs');

let folder;
let compiler;

/** @param cacheDirectory Jest's own */
exports.useCache = (cacheDirectory) => {
  folder = path.join(cacheDirectory, 'waymark-specifications');
  mkdirSync(folder, { recursive: true });
};

const EDITION = JSON.stringify([OPTIONS, require('@swc/core/package.json').version]);
const cachedAt = (source, file) =>
  path.join(
    folder,
    createHash('sha256').update(EDITION).update('\0').update(file).update('\0').update(source).digest('hex'),
  );

const readIfThere = (file) => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
};

/** Of several workers that write the same, each has it whole. */
function write(file, text) {
  const own = `${file}.${process.pid}`;
  writeFileSync(own, text);
  renameSync(own, file);
}

/** TypeScript as JavaScript. Its source map lies beside it in the cache. */
exports.compile = (source, file) => {
  const cached = cachedAt(source, file);
  const known = readIfThere(`${cached}.mjs`);
  if (known !== undefined) return known;
  compiler ??= require('@swc/core');
  const { code, map } = compiler.transformSync(source, {
    ...OPTIONS,
    filename: file,
    sourceFileName: file,
    sourceMaps: true,
    swcrc: false,
    configFile: false,
  });
  write(`${cached}.map`, map);
  write(`${cached}.mjs`, code);
  return code;
};

/** What Jest asks for when it prints a place: the map of a module, by the name that a stack has for it. */
exports.sourceMaps = {
  get(name) {
    const file = name.startsWith('file:') ? fileURLToPath(name) : name;
    const source = /\.tsx?$/.test(file) ? readIfThere(file) : undefined;
    return source === undefined ? undefined : `${cachedAt(source, file)}.map`;
  },
  [Symbol.iterator]: () => [][Symbol.iterator](),
};
