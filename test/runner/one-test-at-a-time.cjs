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

/** What the framework has of Node's for files with tests that run side by side, until `forgetStorages`. */
let storages = [];

const recordedOf = (AsyncLocalStorage) =>
  class extends AsyncLocalStorage {
    constructor(...options) {
      super(...options);
      storages.push(this);
    }
  };

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
  const isConcurrent = /\.concurrent\b/.test(readFileSync(testFile, 'utf8'));
  hooks.AsyncLocalStorage = isConcurrent ? recordedOf(AsyncLocalStorage) : OneAtATime;
  try {
    return runFramework(framework);
  } finally {
    hooks.AsyncLocalStorage = AsyncLocalStorage;
  }
};

/** A file has ended: a storage that stays in use would make each promise of all files after it pay. */
exports.forgetStorages = () => {
  for (const storage of storages) storage.disable();
  storages = [];
};
