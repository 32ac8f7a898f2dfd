const { default: Sequencer } = require('@jest/test-sequencer');

/** Takes minutes each: begun last, they would keep one worker busy long after the others have nothing left to do. */
const LONG = [
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
