// Prints the totals of Jest's JSON reports as "N passed, N failed" on the last line.
//
//   node scripts/test-totals.mjs <report> [<report> ...]
//
// Of several runs each test counts once: as failed if it failed in one of them, else as passed if it passed in one. Skipped is what
// every run of its file has skipped.
import { existsSync, readFileSync } from 'node:fs';

const files = process.argv.slice(2);
const missing = files.filter((file) => !existsSync(file));
if (files.length === 0 || missing.length > 0) {
  console.log(`The tests did not run${missing.length < files.length ? ' as a whole' : ''}.`);
  process.exit(1);
}

/** Worse ones win. */
const RANK = ['passed', 'failed'];
const outcomes = new Map();
/** Titles by file. */
const skippedOf = new Map();

for (const file of files) {
  for (const { name, status, assertionResults } of JSON.parse(readFileSync(file, 'utf8')).testResults) {
    const skipped = assertionResults.filter((test) => !RANK.includes(test.status)).map((test) => test.fullName);
    const before = skippedOf.get(name);
    skippedOf.set(
      name,
      skipped.filter((title) => before?.includes(title) ?? true),
    );
    const seen = new Map();
    const note = (title, outcome) => {
      // Tables may give two tests one name.
      const count = (seen.get(title) ?? 0) + 1;
      seen.set(title, count);
      const key = `${name}\0${title}\0${count}`;
      if (RANK.indexOf(outcome) > RANK.indexOf(outcomes.get(key))) outcomes.set(key, outcome);
    };
    for (const test of assertionResults) note(test.fullName, test.status);
    // A file that does not load has no tests to fail, so it counts as one failure.
    if (status === 'failed' && assertionResults.every((test) => test.status !== 'failed')) note('', 'failed');
  }
}
const [passed, failed] = RANK.map((wanted) => [...outcomes.values()].filter((outcome) => outcome === wanted).length);
const skipped = [...skippedOf.values()].reduce((sum, titles) => sum + titles.length, 0);
console.log(`${skippedOf.size} test files, ${skipped} tests skipped`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
