const { default: Sequencer } = require('@jest/test-sequencer');

/**
 * Takes long: begun last, they would keep one worker busy after the others have nothing left to do. In a fresh checkout Jest goes by the size
 * of files: those of pages have one line, and run all that a page says; a hostile one has a page, and starts a host.
 */
const LONG = [
  '/test/hostile/',
  '/test/docs/',
  '/test/faults/',
  '/test/torture/',
  '/test/contract/',
  '/test/studio/',
  '/test/elsa-studio/',
  '/test/deployments/',
  '/test/e2e/',
  '/libs/expressions/src/javascript/workers/',
  '/libs/expressions/src/javascript/limits.spec.ts',
  '/libs/core/src/execution/work-growth.spec.ts',
];

module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    const isLong = ({ path }) => LONG.some((folder) => path.includes(folder));
    const sorted = super.sort(tests);
    return [...sorted.filter(isLong), ...sorted.filter((test) => !isLong(test))];
  }
};
