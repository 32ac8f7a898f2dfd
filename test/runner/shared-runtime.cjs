// Jest's runtime, except that specifications are imported by Node itself, whose module cache all files of a worker share.
// See docs/adr/0051-specifications-share-modules.md.
const { pathToFileURL } = require('node:url');
const { default: JestRuntime } = require('jest-runtime');
const cost = require('./cost.cjs');
const { offerGlobals } = require('./current-file.cjs');
const { optimizeLate } = require('./late-optimizing.cjs');
const { leaveAtTheEnd } = require('./leave.cjs');
const { loadFramework } = require('./one-test-at-a-time.cjs');
const { registerHooks } = require('./register.cjs');
const { runSpecification } = require('./specification.cjs');
const { sourceMaps } = require('./transform.cjs');
const { withoutMessages } = require('./without-messages.cjs');

let imports = 0;

optimizeLate();
leaveAtTheEnd();

module.exports = class SharedRuntime extends JestRuntime {
  /** A file with the docblock `@jest-environment node`, or a run with `--env=node`, has modules of its own, as Jest has it. */
  get sharesModules() {
    return this._environment.sharesModules === true;
  }

  constructor(config, environment, ...rest) {
    super(config, environment, ...rest);
    if (!this.sharesModules) return;
    registerHooks(config.cacheDirectory);
    offerGlobals(() => this.jestGlobals.cjsGlobals(this._testPath));
  }

  unstable_shouldLoadAsEsm(file) {
    return this.sharesModules || super.unstable_shouldLoadAsEsm(file);
  }

  unstable_importModule(file, ...rest) {
    if (!this.sharesModules) return super.unstable_importModule(file, ...rest);
    // Set-up files and specifications run each time; what they import is there already.
    if (file.endsWith('.spec.ts')) return runSpecification(file).finally(cost.imported);
    return import(`${pathToFileURL(file).href}?run=${++imports}`);
  }

  /** Jest asks for its own test framework alone, which keeps the state of one file. */
  requireInternalModule(file, name) {
    if (!this.sharesModules || name !== undefined) return super.requireInternalModule(file, name);
    return withoutMessages(loadFramework(file, this._testPath));
  }

  getSourceMaps() {
    return this.sharesModules ? sourceMaps : super.getSourceMaps();
  }

  /** Would look for mocks on the global object, which is that of the process. */
  resetModules() {
    if (!this.sharesModules) super.resetModules();
  }

  installGetBuiltinModule() {
    if (!this.sharesModules) super.installGetBuiltinModule();
  }
};
