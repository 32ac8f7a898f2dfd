import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeEach, expect, it, jest } from '@jest/globals';
import { testTotals } from '../../scripts/count-tests.mjs';
import { mayBeAccident, type Report, secondAttempts } from '../../scripts/second-attempts.mjs';

const ROOT = path.join(import.meta.dirname, '../..');
const folder = mkdtempSync(path.join(tmpdir(), 'waymark-attempts-'));
afterAll(() => rmSync(folder, { recursive: true }));

type Outcomes = Readonly<Record<string, 'passed' | 'failed' | 'pending'>>;

/** A file that does not load has no tests. */
const resultOf = (name: string, outcomes: Outcomes, loads = true): Report['testResults'][number] => ({
  name: path.join(ROOT, name),
  status: !loads || Object.values(outcomes).includes('failed') ? 'failed' : 'passed',
  assertionResults: Object.entries(outcomes).map(([fullName, status]) => ({ fullName, status })),
});
const reportOf = (...testResults: Report['testResults'][number][]): Report => ({ testResults });

let reports = 0;
let said: string[];
beforeEach(() => {
  process.env.WAYMARK_TEST_ATTEMPTS = '2';
  said = [];
  for (const stream of ['log', 'error'] as const)
    jest.spyOn(console, stream).mockImplementation((text) => said.push(String(text)));
});

function write(report: Report): string {
  const file = path.join(folder, `${++reports}.json`);
  writeFileSync(file, JSON.stringify(report));
  return file;
}

/** @returns the exit code, the files that ran again, and what the total of the tests is then */
function attempt(first: Report, second: Report, status = 0) {
  const file = write(first);
  const again: string[] = [];
  const code = secondAttempts(file, (name) => {
    again.push(path.relative(ROOT, name));
    return { status, report: reportOf(...second.testResults.filter((result) => result.name === name)) };
  });
  const { lines, ok } = testTotals([file]);
  const report = JSON.parse(readFileSync(file, 'utf8')) as Report;
  return { code, again, total: lines.at(-1), totals: ok ? 0 : 1, report };
}

it('runs the failed files once more, names what passes then, and counts each test once', () => {
  const passing = resultOf('other.spec.ts', { works: 'passed', waits: 'pending' });
  const first = reportOf(passing, resultOf('some.spec.ts', { begins: 'passed', ends: 'failed', waits: 'pending' }));
  const second = reportOf(resultOf('some.spec.ts', { begins: 'passed', ends: 'passed', waits: 'pending' }));
  const { code, again, total, totals } = attempt(first, second);
  expect([code, totals, total]).toEqual([0, 0, '3 passed, 0 failed']);
  expect(again).toEqual(['some.spec.ts']);
  expect(said).toEqual(['Second attempt of some.spec.ts', 'passed at its second attempt: some.spec.ts: ends']);
});

it.each<[what: string, first: Outcomes, second: Outcomes]>([
  ['fails again', { begins: 'passed', ends: 'failed' }, { begins: 'passed', ends: 'failed' }],
  ['passed, and fails now', { begins: 'passed', ends: 'failed' }, { begins: 'failed', ends: 'passed' }],
  ['failed, and is skipped now', { begins: 'passed', ends: 'failed' }, { begins: 'passed', ends: 'pending' }],
  ['failed, and is missing now', { begins: 'passed', ends: 'failed' }, { begins: 'passed' }],
])('fails when a test %s', (_, before, now) => {
  const { code, total, totals } = attempt(
    reportOf(resultOf('some.spec.ts', before)),
    reportOf(resultOf('some.spec.ts', now)),
  );
  expect([code, totals, total]).toEqual([1, 1, '1 passed, 1 failed']);
  expect(said.at(-1)).toBe('failed at its second attempt: some.spec.ts');
});

it('runs each file alone: what fails beside another one passes in a process of its own', () => {
  const [one, other] = ['one.spec.ts', 'other.spec.ts'];
  const first = reportOf(resultOf(one, { ends: 'failed' }), resultOf(other, { ends: 'failed' }));
  const second = reportOf(resultOf(one, { ends: 'passed' }), resultOf(other, { ends: 'passed' }));
  expect(attempt(first, second)).toMatchObject({ code: 0, again: [one, other], total: '2 passed, 0 failed' });
  const otherFails = reportOf(resultOf(one, { ends: 'passed' }), resultOf(other, { ends: 'failed' }));
  expect(attempt(first, otherFails)).toMatchObject({ code: 1, again: [one, other], total: '1 passed, 1 failed' });
});

it('fails when the second attempt does not come to its end', () => {
  const first = reportOf(resultOf('some.spec.ts', { ends: 'failed' }));
  expect(attempt(first, reportOf(), 1)).toMatchObject({ code: 1, total: '0 passed, 1 failed' });
  const passes = reportOf(resultOf('some.spec.ts', { ends: 'passed' }));
  expect(attempt(first, passes, 1).code).toBe(1);
});

it('has a second attempt for a file that did not load', () => {
  const first = reportOf(resultOf('some.spec.ts', {}, false));
  const { code, total } = attempt(first, reportOf(resultOf('some.spec.ts', { ends: 'passed' })));
  expect([code, total]).toEqual([0, '1 passed, 0 failed']);
  expect(said.at(-1)).toBe('passed at its second attempt: some.spec.ts: the file as a whole');
  expect(attempt(first, first)).toMatchObject({ code: 1, total: '0 passed, 1 failed' });
});

it('has one for five files at most, and for none where it is not asked for', () => {
  const failing = (count: number): Report =>
    reportOf(...Array.from({ length: count }, (_, index) => resultOf(`${index}.spec.ts`, { ends: 'failed' })));
  expect([0, 1, 5, 6].map((count) => mayBeAccident(write(failing(count))))).toEqual([false, true, true, false]);
  expect(said).toEqual(['6 test files failed, and have no second attempt: 5 may have one.']);
  expect(attempt(failing(6), reportOf())).toMatchObject({ code: 1, again: [], total: '0 passed, 6 failed' });
  expect(mayBeAccident(path.join(folder, 'missing.json'))).toBe(false);
  expect(mayBeAccident(write(failing(1)), 139)).toBe(false);
  delete process.env.WAYMARK_TEST_ATTEMPTS;
  expect(mayBeAccident(write(failing(1)))).toBe(false);
});

it('fails when the run has failed without a failed file: the process crashed at its end, for example', () => {
  const { code, again } = attempt(reportOf(resultOf('some.spec.ts', { ends: 'passed' })), reportOf());
  expect([code, again]).toEqual([1, []]);
  expect(said).toEqual(['No test file failed: the run itself did, and has no second attempt.']);
});

it.each<[string, Outcomes]>([
  ['are skipped', { ends: 'pending' }],
  ['are missing', {}],
])('fails when a file did not load, and its tests %s now', (_, now) => {
  const first = reportOf(resultOf('some.spec.ts', {}, false));
  expect(attempt(first, reportOf(resultOf('some.spec.ts', now)))).toMatchObject({ code: 1, totals: 1 });
});
