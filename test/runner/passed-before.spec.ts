import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import { leaveOutPassed } from './passed-before.cjs';

const folder = mkdtempSync(path.join(tmpdir(), 'waymark-passed-'));
afterAll(() => rmSync(folder, { recursive: true }));

let reports = 0;
const FILE = '/repository/some.spec.ts';
const test = (name: string) => ({ type: 'test', name, mode: undefined as string | undefined });

/** Of a run with these outcomes, the file's tests after it. @returns how each is to run */
function modesAfter(outcomes: readonly (readonly [title: string, status: string])[], file = FILE) {
  const report = path.join(folder, `${++reports}.json`);
  const assertionResults = outcomes.map(([fullName, status]) => ({ fullName, status }));
  writeFileSync(report, JSON.stringify({ testResults: [{ name: FILE, assertionResults }] }));
  process.env.WAYMARK_TEST_PASSED = report;
  const [alone, inside] = [test('stands alone'), test('works')];
  const suite = { type: 'describeBlock', name: 'on mysql', children: [inside] };
  leaveOutPassed(file)?.({ name: 'run_start' }, { rootDescribeBlock: { children: [alone, suite] } });
  return [alone.mode, inside.mode];
}

it('leaves out what has passed under the same name in the same file, and nothing else', () => {
  expect(modesAfter([['stands alone', 'passed']])).toEqual(['skip', undefined]);
  const ofOthers = [
    ['on sqlite works', 'passed'],
    ['on mysql works', 'skipped'],
  ] as const;
  expect(modesAfter(ofOthers)).toEqual([undefined, undefined]);
  expect(modesAfter([['on mysql works', 'passed']])).toEqual([undefined, 'skip']);
  expect(modesAfter([['on mysql works', 'passed']], '/repository/other.spec.ts')).toEqual([undefined, undefined]);
});

it('runs tests that have not passed each time', () => {
  const both = [
    ['stands alone', 'passed'],
    ['stands alone', 'failed'],
  ] as const;
  expect(modesAfter(both)).toEqual([undefined, undefined]);
});

it('leaves out nothing without a report', () => {
  delete process.env.WAYMARK_TEST_PASSED;
  expect(leaveOutPassed(FILE)).toBeUndefined();
});
