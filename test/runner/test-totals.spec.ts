import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import { NOT_IN_QUICK_RUNS } from '../support/depth.js';
import { LEFT_OUT, NOT_DRAWN } from '../support/pairs.js';

const SCRIPT = path.join(import.meta.dirname, '../../scripts/test-totals.mjs');
const folder = mkdtempSync(path.join(tmpdir(), 'waymark-totals-'));
afterAll(() => rmSync(folder, { recursive: true }));

type Outcomes = readonly (readonly [title: string, status: 'passed' | 'failed' | 'pending'])[];

/** @param runs of one file, one after the other */
function totals(...runs: Outcomes[]): string[] {
  const reports = runs.map((outcomes, index) => {
    const assertionResults = outcomes.map(([fullName, status]) => ({ fullName, status }));
    const report = path.join(folder, `${index}.json`);
    writeFileSync(
      report,
      JSON.stringify({ testResults: [{ name: 'one.spec.ts', status: 'passed', assertionResults }] }),
    );
    return report;
  });
  return spawnSync(process.execPath, [SCRIPT, ...reports])
    .stdout.toString()
    .trim()
    .split('\n');
}

it('a test that each run skips for another reason is skipped once', () => {
  const quick: Outcomes = [
    ['works', 'passed'],
    ['timers on mysql: not run, hidden by WAYMARK_HIDE_BACKENDS', 'pending'],
    [`a story: ${NOT_IN_QUICK_RUNS}`, 'pending'],
    [`all seeds: ${NOT_IN_QUICK_RUNS}`, 'pending'],
  ];
  const others: Outcomes = [
    ['works', 'pending'],
    [`timers on mysql: ${LEFT_OUT}`, 'pending'],
    [`a story: ${NOT_DRAWN}`, 'pending'],
    [`all seeds: ${NOT_IN_QUICK_RUNS}`, 'pending'],
  ];
  expect(totals(quick, others)).toEqual([
    '1 test files, 1 tests skipped',
    '2 tests and suites not run: other commits draw them',
    '1 passed, 0 failed',
  ]);
});

it('what one run skips and another one runs is not skipped, be it a test or a suite', () => {
  const quick: Outcomes = [
    ['timers on mysql: not run, hidden by WAYMARK_HIDE_BACKENDS', 'pending'],
    [`a tour: ${NOT_IN_QUICK_RUNS}`, 'pending'],
    [`timers on memory: ${LEFT_OUT}`, 'pending'],
    ['timers on sqlite fire', 'passed'],
  ];
  const others: Outcomes = [
    ['timers on mysql fire', 'passed'],
    ['a tour', 'passed'],
    ['timers on memory fire', 'passed'],
    ['timers on sqlite fire', 'pending'],
  ];
  expect(totals(quick, others)).toEqual(['1 test files, 0 tests skipped', '4 passed, 0 failed']);
});
