// Most code of a test run is executed a few times. V8 of Node 20 optimizes a function after 66 kB of bytecode, on threads beside the tests,
// and throws much of that away with the next file. Later, a tenth of the processor's time is left over, and loops that do run for long are
// still optimized: see docs/adr/0131-workers-optimize-late.md.
const { setFlagsFromString } = require('node:v8');

/** In bytes of bytecode. */
const BUDGET = 1_000_000;

/** For this process. Other versions of Node do not have the flag, or have not been measured with it. */
exports.optimizeLate = () => {
  if (process.version.startsWith('v20.')) setFlagsFromString(`--interrupt-budget=${BUDGET}`);
};
