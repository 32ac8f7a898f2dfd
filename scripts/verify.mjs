// Everything a change has to pass, those first in which a failure is cheapest to see. Steps run side by side, so that no processor has
// nothing to do. After a failure nothing new begins.
//
//   npm run verify
//
// Tests run on all stores and adapters and in the browser, and take the sample of the long tests that `npm test` takes:
// `npm run test:full` takes all of those.
// WAYMARK_TEST_REPORT=<file>  writes Jest's own JSON report there as well.
// WAYMARK_TEST_ATTEMPTS=2     gives files with failed tests a second attempt when the steps beside them have ended, see
//                             second-attempts.mjs.
// WAYMARK_TEST_AFTER_QUICK=1  leaves out what a quick run without any server has tested, when that has been just before, as in CI:
//                             what remains is what depends on a server, on the browser, or on the other store or adapter.
// WAYMARK_TEST_DRAW=<text>    of that, takes the part of the stores, adapters and stories that this text draws, see
//                             test/support/pairs.ts.
// WAYMARK_STEPS_DONE=<names>  leaves out these quick steps, separated by commas: CI has run them just before.
// WAYMARK_STEP_COSTS=<file>   adds what each step took to that file, see step-costs.mjs.
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageScript } from './package-script.mjs';
import { isShown, lowerPriority } from './processes.mjs';
import { mayBeAccident } from './second-attempts.mjs';
import { countBrowsers } from './server-costs.mjs';
import { costTable, noteBrowsers, noteCost, runStep } from './step-costs.mjs';
import { runSteps } from './steps.mjs';

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');
/** Where the packages are installed and compiled, before they are run there. */
const packages = mkdtempSync(path.join(os.tmpdir(), 'waymark-pack-'));
process.once('exit', () => rmSync(packages, { recursive: true, force: true }));
const report = path.resolve(process.env.WAYMARK_TEST_REPORT ?? path.join(packages, 'tests.json'));

const isAfterQuick = Boolean(process.env.WAYMARK_TEST_AFTER_QUICK);
/** What makes a file depend on its surroundings: Jest finds the specifications that import them, directly or not. */
const SURROUNDINGS = ['test/support/backends.ts', 'test/support/pairs.ts', 'test/studio/browser.ts'];
const testArguments = [
  // They wait for servers and browsers for half of their time and more.
  '--maxWorkers=4',
  ...(isAfterQuick ? ['--findRelatedTests', ...SURROUNDINGS] : []),
  '--json',
  `--outputFile=${report}`,
];

/** Unless the environment says otherwise. */
const testSettings = {
  WAYMARK_TEST_DEPTH: 'quick',
  WAYMARK_TEST_PAIRS: isAfterQuick ? 'others' : 'all',
  WAYMARK_TEST_STORIES: '1',
};

/**
 * What people break most often by a small change, such as a link: known before the first test begins. In this order, the longest of those
 * that may begin first: what is begun last would keep one processor busy when the others have nothing left to do.
 */
const quickSteps = {
  build: { after: [] },
  'format:check': { after: [] },
  words: { after: [] },
  // Writes files beside the pages while it builds, which the two would read.
  'docs:build': { after: ['format:check', 'words'] },
  typecheck: { after: ['build'], isPrepared: true },
  lint: { after: ['build'], isPrepared: true },
  layers: { after: [] },
  'api:check': { after: ['build'] },
  'release:dry': { after: ['build'] },
};
/** Of those, what `.ci/run` has run on the very same sources, while `npm ci` left a processor idle. */
const doneBefore = (process.env.WAYMARK_STEPS_DONE ?? '').split(',');
for (const name of Object.keys(quickSteps)) quickSteps[name].isNeeded = () => !doneBefore.includes(name);

const steps = {
  ...quickSteps,
  // Tests wait for servers and for what they have broken: meanwhile company has the processors. Nothing in it looks at the time. What waits
  // for npm begins early: it takes longer than the tests, and at its end one processor would have nothing to do.
  'pack:prepare': { after: ['build'], args: [packages], isCompany: true },
  // What they do is seen while they do it.
  test: {
    after: Object.keys(quickSteps),
    args: testArguments,
    isSeen: true,
    hasPriority: true,
    mayFail: ({ code }) => mayBeAccident(report, code),
  },
  // Behind the tests, so that it has its low priority from the beginning.
  examples: { after: Object.keys(quickSteps), isCompany: true },
  // Alone: see second-attempts.mjs. After tests that have passed it would find nothing to do, and call that a failure.
  'test:again': {
    after: ['test', 'pack:prepare', 'examples'],
    args: [report],
    isSeen: true,
    isNeeded: () => results.some(({ name, ok }) => name === 'test' && !ok),
  },
  'pack:check': { after: ['test:again'], args: ['--in', packages] },
  'conformance:verify': { after: ['test:again'] },
};

/** One more than there are processors: npm waits for the network half of its time. */
const atOnce = os.availableParallelism() + 1;
const NICENESS = 10;
const results = [];
/** Processes of the company that runs, by name. */
const company = new Map();
let isAfterPriority = false;

/** Where its priority cannot be lowered later, company has a low one from the beginning. */
const isNiceNow = () => process.platform !== 'win32' && (isAfterPriority || !isShown);

/**
 * Of a step that others run beside, the output comes in one piece, when it has ended. What is prepared does without what npm would run
 * before it.
 */
async function run(name) {
  const {
    args = [],
    isSeen = false,
    isPrepared = false,
    isCompany = false,
    hasPriority = false,
    mayFail,
  } = steps[name];
  if (isSeen) console.log(`\n=== ${name}`);
  const script = packageScript(root, name, { args, isPrepared, env: { ...testSettings, ...process.env } });
  const command = [script.command, ...script.args];
  if (isCompany && isNiceNow()) command.unshift('nice', '-n', String(NICENESS));
  if (hasPriority) {
    isAfterPriority = true;
    for (const id of company.values()) lowerPriority(id, NICENESS);
  }
  const onStart = (id) => isCompany && company.set(name, id);
  const browsersEnd = isSeen ? countBrowsers() : undefined;
  const { output, ...cost } = await runStep(command[0], command.slice(1), {
    cwd: root,
    env: script.env,
    isSeen,
    onStart,
  });
  company.delete(name);
  if (browsersEnd) noteBrowsers(browsersEnd());
  if (!isSeen) console.log(`\n=== ${name}\n${output}`);
  const result = { name, ...cost, isForgiven: !cost.ok && mayFail?.(cost) === true };
  noteCost(result);
  results.push(result);
  return result;
}

const notBegun = await runSteps(steps, { atOnce, run });

console.log(`\n=== verify\n${costTable(results)}`);
for (const name of doneBefore.filter((one) => quickSteps[one])) console.log(`${name.padEnd(22)}done before`);
for (const name of notBegun) console.log(`${name.padEnd(22)}not run`);
/** Steps with a failure that no later step makes good. */
const failed = results.filter(({ ok, isForgiven }) => !ok && !isForgiven).map(({ name }) => name);
if (failed.length > 0) {
  console.error(`\nverify stopped at ${failed.join(', ')}; run it alone with: npm run ${failed[0]}`);
  process.exitCode = 1;
}
