// Leaves out tests that a run just before has passed, of which WAYMARK_TEST_PASSED names Jest's JSON report. In CI that run had no
// server: what it has passed depends on none, and would do the same again. Suites of stores and adapters say in their titles which one
// it is, so that those of others are other tests.
const { readFileSync } = require('node:fs');

/** Names of tests by file; without those that have not passed each time they were met. */
function passedByFile(report) {
  const files = new Map();
  for (const { name, assertionResults } of JSON.parse(readFileSync(report, 'utf8')).testResults) {
    const others = new Set(
      assertionResults.filter(({ status }) => status !== 'passed').map(({ fullName }) => fullName),
    );
    files.set(name, new Set(assertionResults.map(({ fullName }) => fullName).filter((title) => !others.has(title))));
  }
  return files;
}

let known = {};

/** Of a worker all files have the same report. */
function passedIn(report) {
  if (known.report !== report) known = { report, files: passedByFile(report) };
  return known.files;
}

/** @returns what listens to the events of Jest's framework for that file; undefined when nothing is left out */
exports.leaveOutPassed = (file) => {
  const report = process.env.WAYMARK_TEST_PASSED;
  if (!report) return undefined;
  const titles = passedIn(report).get(file);
  if (!titles) return undefined;
  const visit = (block, path) => {
    for (const child of block.children) {
      const names = [...path, child.name];
      if (child.type === 'describeBlock') visit(child, names);
      else if (titles.has(names.join(' '))) child.mode = 'skip';
    }
  };
  return ({ name }, { rootDescribeBlock }) => {
    if (name === 'run_start') visit(rootDescribeBlock, []);
  };
};
