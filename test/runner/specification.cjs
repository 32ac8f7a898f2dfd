// A specification as a script, which nothing holds when its file has ended. Node never forgets a module, not even one of
// `node:vm`: what the variables of a specification name, such as an application with its store, would stay until the worker ends,
// and each collection of garbage would look at all of them.
const { readFileSync } = require('node:fs');
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
  const { load, modules } = await import(importerUrl(pathToFileURL(file).href, shared));
  // `import.meta.url` asks for `url` when it is compiled.
  const find = (specifier) => imported.get(specifier) ?? modules[specifier] ?? require(specifier);
  const script = new vm.Script(`(async function (require, exports, __filename, __dirname) {${code}\n})`, {
    filename: file,
    importModuleDynamically: load,
  });
  await script.runInThisContext()(find, exported, file, path.dirname(file));
  return exported;
}

/** What it imports, in its order: compiled, each import is a line of its own. */
const specifiersOf = (code) => {
  const lines = code.matchAll(/^(?:(?:const|var) \w+ = )?(?:_export_star\()?require\("([^"]+)"\)/gm);
  return new Set([...lines].map(([, specifier]) => specifier));
};
