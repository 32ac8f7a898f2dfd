const { createHash } = require('node:crypto');
const { mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const path = require('node:path');
const { fileURLToPath } = require('node:url');
const OPTIONS = require('./swc-options.cjs');

let folder;
let compiler;
/** Of modules by the name that a stack has for them: what is loaded stays as it is when its file changes. */
const maps = new Map();

/** @param cacheDirectory Jest's own */
exports.useCache = (cacheDirectory) => {
  folder = path.join(cacheDirectory, 'waymark-specifications');
  mkdirSync(folder, { recursive: true });
};

/** A script has what it imports from a function `require`, as modules of Node's loader: without the wrapping of CommonJS. */
const SCRIPT = { ...OPTIONS, module: { type: 'commonjs', importInterop: 'none', ignoreDynamic: true } };

const cachedAt = (source, file, options) => {
  const parts = [JSON.stringify(options), require('@swc/core/package.json').version, file, source];
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part).update('\0');
  return path.join(folder, hash.digest('hex'));
};

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

/** TypeScript as JavaScript: as a module. Its source map lies beside it in the cache. */
exports.compile = (source, file) => compileAs(OPTIONS, source, file);

/** The same as a script, which a specification is. */
exports.compileScript = (source, file) => {
  maps.set(file, `${cachedAt(source, file, SCRIPT)}.map`);
  return compileAs(SCRIPT, source, file);
};

function compileAs(options, source, file) {
  const cached = cachedAt(source, file, options);
  const known = readIfThere(`${cached}.mjs`);
  if (known !== undefined) return known;
  compiler ??= require('@swc/core');
  const { code, map } = compiler.transformSync(source, {
    ...options,
    filename: file,
    sourceFileName: file,
    sourceMaps: true,
    swcrc: false,
    configFile: false,
  });
  write(`${cached}.map`, map);
  write(`${cached}.mjs`, code);
  return code;
}

/** What Jest asks for with every line of every stack: the map of a module, by the name that the stack has for it. */
exports.sourceMaps = {
  get(name) {
    if (!maps.has(name)) maps.set(name, mapOf(name));
    return maps.get(name);
  },
  [Symbol.iterator]: () => [][Symbol.iterator](),
};

function mapOf(name) {
  const file = name.startsWith('file:') ? fileURLToPath(name) : name;
  const source = /\.tsx?$/.test(file) ? readIfThere(file) : undefined;
  return source === undefined ? undefined : `${cachedAt(source, file, OPTIONS)}.map`;
}
