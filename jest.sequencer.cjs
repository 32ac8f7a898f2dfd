const { default: Sequencer } = require('@jest/test-sequencer');

/**
 * Takes minutes each: begun last, they would keep one worker busy long after the others have nothing left to do. In a fresh checkout Jest
 * goes by the size of files: those of pages have one line, and run all that a page says.
 */
const LONG = [
  '/test/docs/',
  '/test/faults/',
  '/test/torture/',
  '/test/contract/',
  '/test/studio/',
  '/test/elsa-studio/',
  '/test/deployments/',
];

module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    const isLong = ({ path }) => LONG.some((folder) => path.includes(folder));
    const sorted = super.sort(tests);
    return [...sorted.filter(isLong), ...sorted.filter((test) => !isLong(test))];
  }
};
