// What each specification costs and leaves open, for finding those that are too dear: WAYMARK_TEST_COST names a file that gets a line
// of JSON for each. Seconds of the processor and not of the clock, so that other work on the machine changes little.
const { appendFileSync, readFileSync } = require('node:fs');

const TICKS_PER_SECOND = 100;
const target = process.env.WAYMARK_TEST_COST;
let current;

/** Of processes that have ended: Linux alone says so. */
function secondsOfChildren() {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[13]) + Number(fields[14])) / TICKS_PER_SECOND;
  } catch {
    return 0;
  }
}

function now() {
  const { user, system } = process.cpuUsage();
  return { own: (user + system) / 1e6, children: secondsOfChildren() };
}

/** A file begins. */
exports.begin = () => {
  if (target) current = { begun: now(), imported: undefined };
};

/** What it imports has been loaded, and its tests are known. */
exports.imported = () => {
  if (current) current.imported = now();
};

exports.end = (file) => {
  if (!current) return;
  const { begun, imported = begun } = current;
  const ended = now();
  const line = {
    file,
    import: imported.own - begun.own,
    tests: ended.own - imported.own,
    children: ended.children - begun.children,
    // What keeps the process alive, if it is one more than before.
    open: process.getActiveResourcesInfo().toSorted(),
    heapMB: Math.round(process.memoryUsage().heapUsed / 2 ** 20),
  };
  appendFileSync(target, `${JSON.stringify(line)}\n`);
};
