// A specification as a script, which nothing holds when its file has ended. Node never forgets a module, not even one of
// `node:vm`: what the variables of a specification name, such as an application with its store, would stay until the worker ends,
// and each collection of garbage would look at all of them.
const { existsSync, readFileSync } = require('node:fs');
const path = require('node:path');
const { pathToFileURL } = require('node:url');
const vm = require('node:vm');
const { importerUrl, specificationOf } = require('./hooks.cjs');
const { compileScript } = require('./transform.cjs');

/** Runs a specification, and anew what it has of other ones. @returns its exports */
exports.runSpecification = (file) => run(file, new Map());

async function run(file, known) {
  if (known.has(file)) return known.get(file);
  const exported = {};
  known.set(file, exported);
  const code = compileScript(readFileSync(file, 'utf8'), file);
  const imported = new Map();
  for (const specifier of specifiersOf(code)) {
    const other = specificationOf(specifier, file);
    imported.set(specifier, other && (await run(other, known)));
  }
  const shared = [...imported.keys()].filter((specifier) => !imported.get(specifier));
  const modules = await importAll(shared, file);
  // `import.meta.url` asks for `url` when it is compiled.
  const find = (specifier) => imported.get(specifier) ?? modules.get(specifier) ?? require(specifier);
  const script = new vm.Script(`(async function (require, exports, __filename, __dirname) {${code}\n})`, {
    filename: file,
    importModuleDynamically: async (specifier) => (await importerOf(file, [])).load(specifier),
  });
  await script.runInThisContext()(find, exported, file, path.dirname(file));
  return exported;
}

/** Imports for a specification, by Node's loader. */
const importerOf = (file, specifiers) => import(importerUrl(pathToFileURL(file).href, specifiers));

/**
 * What specifications of this worker have imported: Node's loader would be asked anew for each import of each specification, which
 * takes Node 20 a message to the thread of the hooks and its answer.
 */
const loaded = new Map();

/** Of a module: its place, or for a package its name and that of the package which has it, since each may have another version. */
const keyOf = (specifier, folder) =>
  specifier.startsWith('.') ? path.resolve(folder, specifier) : `${packageOf(folder)}\0${specifier}`;

const packages = new Map();
function packageOf(folder) {
  if (packages.has(folder)) return packages.get(folder);
  const parent = path.dirname(folder);
  const found = folder === parent || existsSync(path.join(folder, 'package.json')) ? folder : packageOf(parent);
  packages.set(folder, found);
  return found;
}

/** @returns modules by their specifiers */
async function importAll(specifiers, file) {
  const folder = path.dirname(file);
  const missing = specifiers.filter((specifier) => !loaded.has(keyOf(specifier, folder)));
  if (missing.length > 0) {
    const { modules } = await importerOf(file, missing);
    for (const specifier of missing) loaded.set(keyOf(specifier, folder), modules[specifier]);
  }
  return new Map(specifiers.map((specifier) => [specifier, loaded.get(keyOf(specifier, folder))]));
}

/** What it imports, in its order: compiled, each import is a line of its own. */
const specifiersOf = (code) => {
  const lines = code.matchAll(/^(?:(?:const|var) \w+ = )?(?:_export_star\()?require\("([^"]+)"\)/gm);
  return new Set([...lines].map(([, specifier]) => specifier));
};
