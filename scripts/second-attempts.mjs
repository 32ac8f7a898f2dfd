// Runs the files with failed tests once more, as WAYMARK_TEST_ATTEMPTS=2 wants it: after everything else, one at a time, and each in a
// process of its own. A test that has timed out goes on running in its worker, and files of a worker share its modules; a second attempt
// in the same worker would share variables and tables with them, and a machine that is busy. Names what passes only then. More than five
// files are not accidents, and have no second attempt.
//
//   node scripts/second-attempts.mjs <Jest's JSON report>     writes the result of both attempts into the report
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** Of a run of six hundred files. */
const MOST = 5;

const ROOT = path.join(import.meta.dirname, '..');
const read = (file) => JSON.parse(readFileSync(file, 'utf8'));
const shortOf = (file) => path.relative(ROOT, file);

/** Paths of the files with a failed test, and of those that did not load. */
const failedFiles = ({ testResults }) =>
  testResults.filter(({ status }) => status === 'failed').map(({ name }) => name);

/**
 * If true, what the report says has failed may be an accident. If there is no report, the run did not come to its end.
 * @param code exit code of the run: Jest ends with 1 when tests have failed, and with another one when it has crashed
 */
export function mayBeAccident(report, code = 1) {
  if (code !== 1 || Number(process.env.WAYMARK_TEST_ATTEMPTS ?? 1) < 2 || !existsSync(report)) return false;
  const files = failedFiles(read(report));
  if (files.length > MOST)
    console.error(`${files.length} test files failed, and have no second attempt: ${MOST} may have one.`);
  return files.length > 0 && files.length <= MOST;
}

/** Tables may give two tests of a file one name, so that the key has the number of the test among those. */
function byTitle(tests) {
  const counts = new Map();
  return new Map(
    tests.map((test) => {
      const count = (counts.get(test.fullName) ?? 0) + 1;
      counts.set(test.fullName, count);
      return [`${test.fullName}\0${count}`, test];
    }),
  );
}

/**
 * A file's result of both attempts. A test that failed must pass now, and one that passed must not fail now. A file that failed without a
 * failed test did not load, or failed in a hook of its own: it must pass as a whole, and have a test that does.
 */
function mergeFile(first, second) {
  const before = byTitle(first.assertionResults);
  const now = byTitle(second.assertionResults);
  const tests = [...new Set([...before.keys(), ...now.keys()])].map((key) => {
    const [earlier, later] = [before.get(key), now.get(key)];
    if (earlier?.status === 'failed')
      return later?.status === 'passed' ? { ...later, invocations: 2 } : later?.status === 'failed' ? later : earlier;
    return later?.status === 'failed' || earlier?.status !== 'passed' ? (later ?? earlier) : earlier;
  });
  const isUnseen = !first.assertionResults.some(({ status }) => status === 'failed');
  // Of tests that are skipped now it is not known what has failed.
  const isSkipped = isUnseen && !second.assertionResults.some(({ status }) => status === 'passed');
  const failed = isSkipped || second.status === 'failed' || tests.some(({ status }) => status === 'failed');
  return { ...second, assertionResults: tests, status: failed ? 'failed' : 'passed' };
}

/** Jest's report of the first attempt, with what the second one has changed. A file without a second result stays failed. */
function mergeReports(first, second) {
  const again = new Map(second.testResults.map((result) => [result.name, result]));
  const testResults = first.testResults.map((result) =>
    again.has(result.name) ? mergeFile(result, again.get(result.name)) : result,
  );
  const count = (status) =>
    testResults.flatMap(({ assertionResults }) => assertionResults).filter((test) => test.status === status).length;
  const numFailedTestSuites = failedFiles({ testResults }).length;
  return {
    ...first,
    testResults,
    numFailedTests: count('failed'),
    numPassedTests: count('passed'),
    numFailedTestSuites,
    numPassedTestSuites: first.numPassedTestSuites + first.numFailedTestSuites - numFailedTestSuites,
    success: numFailedTestSuites === 0,
  };
}

/** Of the files that passed at their second attempt: the tests that failed at first, or the file if it did not come to a test. */
function passedNow(first, merged) {
  const files = failedFiles(first).filter((file) => !failedFiles(merged).includes(file));
  return files.flatMap((file) => {
    const tests = merged.testResults
      .find(({ name }) => name === file)
      .assertionResults.filter(({ invocations }) => invocations === 2)
      .map(({ fullName }) => fullName);
    return (tests.length > 0 ? tests : ['the file as a whole']).map((title) => `${shortOf(file)}: ${title}`);
  });
}

/** The same run of the file, with all that it was given: where files are named, Jest's set-up would take all of their tests. */
function runAgain(file) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'waymark-attempts-'));
  const report = path.join(folder, 'report.json');
  const args = ['--runTestsByPath', shortOf(file), '--maxWorkers=1', '--json', `--outputFile=${report}`];
  const env = { WAYMARK_TEST_DEPTH: 'quick', WAYMARK_TEST_PAIRS: 'some', ...process.env };
  try {
    const { status } = spawnSync('npm', ['test', '--silent', '--', ...args], {
      cwd: ROOT,
      env,
      stdio: 'inherit',
      shell: process.platform === 'win32',
    });
    return { status, report: existsSync(report) ? read(report) : { testResults: [] } };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Of a run that has failed.
 * @returns the exit code: 0 if what the report says has failed passes now
 */
export function secondAttempts(reportFile, attempt = runAgain) {
  const first = read(reportFile);
  const files = failedFiles(first);
  if (files.length === 0) {
    console.error('No test file failed: the run itself did, and has no second attempt.');
    return 1;
  }
  if (!mayBeAccident(reportFile)) return 1;
  console.log(`Second attempt of ${files.map(shortOf).join(', ')}`);
  const attempts = files.map((file) => attempt(file));
  const merged = mergeReports(first, { testResults: attempts.flatMap(({ report }) => report.testResults) });
  writeFileSync(reportFile, JSON.stringify(merged));
  for (const name of passedNow(first, merged)) console.log(`passed at its second attempt: ${name}`);
  for (const file of failedFiles(merged)) console.log(`failed at its second attempt: ${shortOf(file)}`);
  return attempts.every(({ status }) => status === 0) && merged.success ? 0 : 1;
}

if (import.meta.filename === process.argv[1]) {
  const [report] = process.argv.slice(2);
  if (report === undefined) throw new Error('node scripts/second-attempts.mjs <report>');
  process.exitCode = secondAttempts(report);
}
