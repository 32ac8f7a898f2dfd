// The environment of specifications that share modules: the process itself. What a file leaves behind in it is taken back
// when it ends, so that the next one begins as if it were the first.
const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');
const cost = require('./cost.cjs');
const { forgetStorages } = require('./one-test-at-a-time.cjs');
const { leaveOutPassed } = require('./passed-before.cjs');
const { rememberTypes } = require('./storable-types.cjs');

/** Of Jest's test framework, which is loaded anew for each file. */
const OF_JEST = new Set(
  ['EVENT_HANDLERS', 'RETRY_TIMES', 'RETRY_TIMES_SETTER', 'WAIT_BEFORE_RETRY', 'RETRY_IMMEDIATELY']
    .concat(['LOG_ERRORS_BEFORE_RETRY', 'TEST_TIMEOUT_SYMBOL'])
    .map((name) => Symbol.for(name)),
);
const isOfJest = (key) => OF_JEST.has(key) || key.description === 'JEST_STATE_SYMBOL';

module.exports = class SharedEnvironment {
  sharesModules = true;
  global = globalThis;

  constructor({ projectConfig }, { testPath }) {
    cost.begin();
    this.testPath = testPath;
    const leaveOut = leaveOutPassed(testPath);
    // Jest would wait after each event for one that is there.
    if (leaveOut) this.handleTestEvent = leaveOut;
    this.takeBack = rememberProcess();
    this.forgetTypes = rememberTypes();
    this.moduleMocker = new ModuleMocker(globalThis);
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  getVmContext() {
    return null;
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  async setup() {}

  async teardown() {
    this.fakeTimersModern.dispose();
    this.fakeTimersModern = null;
    forgetStorages();
    this.forgetTypes();
    this.takeBack();
    cost.end(this.testPath);
  }
};

/** @returns what brings back globals, variables, listeners and the folder as they are now */
function rememberProcess() {
  const { env, exit, exitCode } = process;
  const variables = { ...env };
  const folder = process.cwd();
  const globals = Object.getOwnPropertyDescriptors(globalThis);
  const listeners = new Map(process.eventNames().map((event) => [event, process.rawListeners(event)]));
  return () => {
    process.env = env;
    for (const name of Object.keys(env)) if (!(name in variables)) delete env[name];
    for (const [name, value] of Object.entries(variables)) if (env[name] !== value) env[name] = value;
    process.exit = exit;
    process.exitCode = exitCode;
    if (process.cwd() !== folder) process.chdir(folder);
    takeBackGlobals(globals);
    for (const event of process.eventNames())
      for (const listener of process.rawListeners(event))
        if (!listeners.get(event)?.includes(listener)) process.removeListener(event, listener);
  };
}

function takeBackGlobals(before) {
  for (const key of Reflect.ownKeys(globalThis)) {
    // Symbols of others are how libraries find themselves again, which are still loaded.
    if (typeof key === 'symbol' && !isOfJest(key)) continue;
    const { value, get, configurable } = Object.getOwnPropertyDescriptor(globalThis, key);
    if (!(key in before)) {
      if (configurable) delete globalThis[key];
      // A getter that has become a value is one of Node's that loads at the first use.
    } else if (before[key].value !== value && get === undefined && !before[key].get)
      globalThis[key] = before[key].value;
  }
  for (const [key, descriptor] of Object.entries(before))
    if (!(key in globalThis)) Object.defineProperty(globalThis, key, descriptor);
}
