// Jest's framework keeps in an AsyncLocalStorage which test runs. Before Node 24 a single one makes every promise of the process
// pay for hooks: a tenth of the time of all tests. Tests of a file run one after the other, so that a variable says the same.
const { readFileSync } = require('node:fs');
const hooks = require('node:async_hooks');
const nodeModule = require('node:module');
const path = require('node:path');
const vm = require('node:vm');

class OneAtATime {
  getStore() {
    return this.store;
  }

  run(store, task) {
    const before = this.store;
    this.store = store;
    const restore = () => void (this.store = before);
    let result;
    try {
      result = task();
    } catch (error) {
      restore();
      throw error;
    }
    if (typeof result?.finally === 'function') return result.finally(restore);
    restore();
    return result;
  }
}

/** The framework, compiled: it keeps the state of one file, so that each file runs it anew. */
let compiled;

function runFramework(file) {
  if (compiled?.file !== file) {
    const script = new vm.Script(nodeModule.wrap(readFileSync(file, 'utf8')), { filename: file });
    compiled = { file, script, require: nodeModule.createRequire(file) };
  }
  const loaded = { exports: {} };
  compiled.script.runInThisContext()(loaded.exports, compiled.require, loaded, file, path.dirname(file));
  return loaded.exports;
}

/** Runs the framework for a file of tests: with its own storage, if the file has tests that run side by side. */
exports.loadFramework = (framework, testFile) => {
  const { AsyncLocalStorage } = hooks;
  if (!/\.concurrent\b/.test(readFileSync(testFile, 'utf8'))) hooks.AsyncLocalStorage = OneAtATime;
  try {
    return runFramework(framework);
  } finally {
    hooks.AsyncLocalStorage = AsyncLocalStorage;
  }
};
