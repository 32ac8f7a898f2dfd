import path from 'node:path';

/** Of a run of ten thousand tests. More than these are not accidents of a busy machine. */
const MOST = 5;

/**
 * Names every test that passed at its second attempt (WAYMARK_TEST_ATTEMPTS=2, as in CI), so that it is mended and not
 * forgotten, and fails the run when there are more than five. A developer's run gives a test one attempt.
 */
export default class SecondAttempts {
  names = [];

  onTestResult(test, { testResults }) {
    const file = path.relative(process.cwd(), test.path);
    for (const { status, invocations, fullName } of testResults)
      if (status === 'passed' && invocations > 1) this.names.push(`${file}: ${fullName}`);
  }

  onRunComplete() {
    for (const name of this.names) process.stderr.write(`passed at its second attempt: ${name}\n`);
  }

  getLastError() {
    if (this.names.length <= MOST) return undefined;
    return new Error(`${this.names.length} tests passed only at their second attempt; a run may have ${MOST}.`);
  }
}
