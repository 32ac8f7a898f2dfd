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
// WAYMARK_STEP_COSTS=<file>   adds what each step took to that file, see step-costs.mjs.
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageScript } from './package-script.mjs';
import { mayBeAccident } from './second-attempts.mjs';
import { costTable, noteCost, runStep } from './step-costs.mjs';

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
 * Each with what has to be there before it. In this order, the longest of those that may begin first: what is begun last would keep
 * one processor busy when the others have nothing left to do.
 */
const stages = [
  // What people break most often by a small change, such as a link, is known before the first test begins.
  {
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
  },
  {
    // What they do is seen while they do it.
    test: {
      after: [],
      args: testArguments,
      isSeen: true,
      mayFail: ({ code }) => mayBeAccident(report, code),
    },
    // Tests wait for servers and for what they have broken: meanwhile these have the processors. Nothing in them looks at the time.
    'pack:prepare': { after: [], args: [packages], isPatient: true },
    examples: { after: [], isPatient: true },
  },
  // Alone: see second-attempts.mjs. After tests that have passed it would find nothing to do, and call that a failure.
  { 'test:again': { after: [], args: [report], isSeen: true, isNeeded: () => hasEndedBadly('test') } },
  {
    'pack:check': { after: [], args: ['--in', packages] },
    'conformance:verify': { after: [] },
  },
];

// One more than there are processors: npm waits for the network half of its time.
const atOnce = os.availableParallelism() + 1;
const results = [];
const isDone = (name) => results.some((result) => result.name === name && result.ok);
const hasEndedBadly = (name) => results.some((result) => result.name === name && !result.ok);
/** Steps with a failure that no later step makes good. */
const failures = () => results.filter(({ ok, isForgiven }) => !ok && !isForgiven).map(({ name }) => name);
const hasFailed = () => failures().length > 0;

/**
 * Of a step that others run beside, the output comes in one piece, when it has ended. What is prepared does without what npm would run
 * before it.
 */
async function run(name, { args = [], isSeen = false, isPrepared = false, isPatient = false, mayFail }) {
  if (isSeen) console.log(`\n=== ${name}`);
  const script = packageScript(root, name, { args, isPrepared, env: { ...testSettings, ...process.env } });
  const command = [script.command, ...script.args];
  if (isPatient && process.platform !== 'win32') command.unshift('nice', '-n', '10');
  const { output, ...cost } = await runStep(command[0], command.slice(1), { cwd: root, env: script.env, isSeen });
  if (!isSeen) console.log(`\n=== ${name}\n${output}`);
  const result = { name, ...cost, isForgiven: !cost.ok && mayFail?.(cost) === true };
  noteCost(result);
  results.push(result);
}

async function runStage(steps) {
  const waiting = Object.entries(steps).filter(([, { isNeeded }]) => isNeeded?.() ?? true);
  const running = new Set();
  for (;;) {
    while (!hasFailed() && running.size < atOnce) {
      const next = waiting.findIndex(([, { after }]) => after.every(isDone));
      if (next < 0) break;
      const [[name, step]] = waiting.splice(next, 1);
      const ended = run(name, step).finally(() => running.delete(ended));
      running.add(ended);
    }
    if (running.size === 0) return;
    await Promise.race(running);
  }
}

for (const stage of stages) if (!hasFailed()) await runStage(stage);

console.log(`\n=== verify\n${costTable(results)}`);
const names = stages.flatMap((stage) => Object.keys(stage));
for (const name of names.filter((one) => !results.some((result) => result.name === one)))
  console.log(`${name.padEnd(22)}not run`);
const failed = failures();
if (failed.length > 0) {
  console.error(`\nverify stopped at ${failed.join(', ')}; run it alone with: npm run ${failed[0]}`);
  process.exitCode = 1;
}
