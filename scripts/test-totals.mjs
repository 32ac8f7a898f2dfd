// Prints the totals of a Jest JSON report as "N passed, N failed" on the last line.
import { existsSync, readFileSync } from 'node:fs';

const file = process.argv[2];
if (!file || !existsSync(file)) {
  console.log('The tests did not run.');
  process.exit(1);
}
const report = JSON.parse(readFileSync(file, 'utf8'));
const skipped = report.numPendingTests + report.numTodoTests;
// A file that does not load has no tests to fail, so it counts as one failure.
const failed = report.numFailedTests + report.numRuntimeErrorTestSuites;
console.log(`${report.numTotalTestSuites} test files, ${skipped} tests skipped`);
console.log(`${report.numPassedTests} passed, ${failed} failed`);
process.exitCode = failed > 0 || report.numPassedTests === 0 ? 1 : 0;
