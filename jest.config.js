import swcOptions from './test/runner/swc-options.cjs';

export default {
  // Files of a worker share its modules, unless one says `@jest-environment node` in a docblock: see docs/adr/0051.
  runtime: '<rootDir>/test/runner/shared-runtime.cjs',
  testEnvironment: '<rootDir>/test/runner/shared-environment.cjs',
  // For files with modules of their own. Libraries are read from their TypeScript sources; only processes that tests start run
  // what is built.
  testEnvironmentOptions: { customExportConditions: ['@waymark/source', 'node', 'node-addons'] },
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: {
    '^(\\.{1,2}/.*)\\.js$': '$1',
    '^@nestjs/throttler$': '<rootDir>/test/support/throttler.mjs',
  },
  setupFiles: ['<rootDir>/jest.setup.js'],
  transform: {
    // A copy, since it adds to what it is given: the maps of shared modules are found by their options.
    '^.+\\.ts$': ['@swc/jest', { ...structuredClone(swcOptions), sourceMaps: 'inline' }],
  },
  globalSetup: './test/support/global-setup.mjs',
  globalTeardown: './test/support/global-teardown.mjs',
  maxWorkers: 2,
  // A worker beyond it is replaced, and loads its modules anew.
  workerIdleMemoryLimit: '1GB',
  // Half a second, as Jest has it, is less than a worker with a large heap may need on a busy machine, and would be called a leak.
  workerGracefulExitTimeout: 10_000,
  testSequencer: './jest.sequencer.cjs',
  // Most tests take milliseconds. On a machine that does something else as well, the start of an application takes its time.
  testTimeout: 30_000,
  testMatch: ['**/*.spec.ts', '**/*.e2e-spec.ts'],
  // What a run of the documentation's specifications leaves behind when it is killed.
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/docs/.tmp/'],
  modulePathIgnorePatterns: ['/dist/', '<rootDir>/test/package/'],
};
