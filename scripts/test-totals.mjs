// Prints the totals of Jest's JSON reports as "N passed, N failed" on the last line.
//
//   node scripts/test-totals.mjs <report> [<report> ...]
import { existsSync } from 'node:fs';
import { testTotals } from './count-tests.mjs';

const files = process.argv.slice(2);
const missing = files.filter((file) => !existsSync(file));
if (files.length === 0 || missing.length > 0) {
  console.log(`The tests did not run${missing.length < files.length ? ' as a whole' : ''}.`);
  process.exit(1);
}
const { lines, ok } = testTotals(files);
for (const line of lines) console.log(line);
process.exitCode = ok ? 0 : 1;
