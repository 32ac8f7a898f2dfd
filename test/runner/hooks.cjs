// How Node finds and reads the modules of specifications: TypeScript where an import says `.js`, libraries by their sources,
// and `@jest/globals` as what belongs to the file that runs.
const { existsSync, readFileSync } = require('node:fs');
const path = require('node:path');
const { fileURLToPath, pathToFileURL } = require('node:url');
const { compile, useCache } = require('./transform.cjs');

const ROOT = path.resolve(__dirname, '../..');
const GLOBALS = pathToFileURL(path.join(__dirname, 'jest-globals.mjs')).href;
const IS_OURS = (file) => file.startsWith(ROOT + path.sep) && !file.includes(`${path.sep}node_modules${path.sep}`);
const IS_TYPESCRIPT = /\.tsx?$/;
const ENDINGS = ['.ts', '.tsx', '/index.ts'];

exports.initialize = ({ cacheDirectory }) => useCache(cacheDirectory);

exports.resolve = (specifier, context, next) => {
  if (specifier === '@jest/globals') return { url: GLOBALS, format: 'module', shortCircuit: true };
  if (specifier.startsWith('.') && context.parentURL?.startsWith('file:')) {
    const source = sourceOf(specifier, fileURLToPath(context.parentURL));
    if (source)
      return {
        url: pathToFileURL(source).href + searchOf(source, context.parentURL),
        format: 'module',
        shortCircuit: true,
      };
  }
  if (!specifier.startsWith('@waymark/')) return next(specifier, context);
  return next(specifier, { ...context, conditions: ['@waymark/source', ...context.conditions] });
};

/** What a specification has of another one is its own, as hooks and tests are. */
const searchOf = (source, parentUrl) => (source.endsWith('.spec.ts') ? new URL(parentUrl).search : '');

/** The other specification that an import of one means, if it means one. */
exports.specificationOf = (specifier, parent) => {
  const source = specifier.startsWith('.') ? sourceOf(specifier, parent) : undefined;
  return source?.endsWith('.spec.ts') ? source : undefined;
};

const IMPORTS = '?imports=';

/** A module beside a specification that imports what it imports: by Node's loader, which finds it from there. */
exports.importerUrl = (url, specifiers) => url + IMPORTS + encodeURIComponent(JSON.stringify(specifiers));

const importerSource = (url) => {
  const specifiers = JSON.parse(decodeURIComponent(url.slice(url.indexOf(IMPORTS) + IMPORTS.length)));
  const quoted = specifiers.map((specifier) => JSON.stringify(specifier));
  return [
    ...quoted.map((specifier, i) => `import * as module${i} from ${specifier};`),
    `export const modules = { ${quoted.map((specifier, i) => `${specifier}: module${i}`).join(', ')} };`,
    'export const load = (specifier) => import(specifier);',
    'export const meta = import.meta;',
  ].join('\n');
};

/** The TypeScript that a relative import of ours means, if it means one. */
function sourceOf(specifier, parent) {
  if (!IS_OURS(parent)) return undefined;
  const file = path.resolve(path.dirname(parent), specifier);
  if (IS_TYPESCRIPT.test(file)) return existsSync(file) ? file : undefined;
  if (/\.(mjs|cjs|json)$/.test(file)) return undefined;
  const stem = file.replace(/\.js$/, '');
  return ENDINGS.map((ending) => stem + ending).find((candidate) => existsSync(candidate));
}

exports.load = (url, context, next) => {
  if (!url.startsWith('file:')) return next(url, context);
  if (url.includes(IMPORTS)) return { format: 'module', source: importerSource(url), shortCircuit: true };
  const file = fileURLToPath(url);
  if (!IS_TYPESCRIPT.test(file) || !IS_OURS(file)) return next(url, context);
  return { format: 'module', source: compile(readFileSync(file, 'utf8'), file), shortCircuit: true };
};
