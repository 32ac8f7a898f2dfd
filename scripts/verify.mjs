// Everything a change has to pass, in the order in which a failure is cheapest to see; the build comes early because lint
// reads the types it writes. Steps of one line run side by side. Stops after the first line with a failure.
//
//   npm run verify
//
// Tests run on all stores and adapters and in the browser, and take the sample of the long tests that `npm test` takes:
// `npm run test:full` takes all of those.
// WAYMARK_TEST_REPORT=<file>  writes Jest's own JSON report there as well.
// WAYMARK_TEST_AFTER_QUICK=1  leaves out what a quick run without any server has tested, when that has been just before, as in CI:
//                             what remains is what depends on a server, on the browser, or on the other store or adapter.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');
const report = process.env.WAYMARK_TEST_REPORT;

const isAfterQuick = Boolean(process.env.WAYMARK_TEST_AFTER_QUICK);
/** What makes a file depend on its surroundings: Jest finds the specifications that import them, directly or not. */
const SURROUNDINGS = ['test/support/backends.ts', 'test/support/pairs.ts', 'test/studio/browser.ts'];
const testArguments = [
  // They wait for servers and browsers half of their time.
  '--maxWorkers=3',
  ...(isAfterQuick ? ['--findRelatedTests', ...SURROUNDINGS] : []),
  ...(report ? ['--json', `--outputFile=${path.resolve(report)}`] : []),
];

/** Unless the environment says otherwise. */
const testSettings = {
  WAYMARK_TEST_DEPTH: 'quick',
  WAYMARK_TEST_PAIRS: isAfterQuick ? 'others' : 'all',
  WAYMARK_TEST_STORIES: '1',
};

const stages = [
  [['format:check'], ['build']],
  [['words'], ['api:check'], ['lint'], ['layers'], ['typecheck']],
  // The tests take both cores of a small machine, and say what they do while they do it.
  [['test', '--', ...testArguments]],
  [['conformance:verify'], ['pack:check'], ['release:dry'], ['examples'], ['docs:build']],
];

/** A step that runs alone is seen at work; of others the output comes in one piece, when they have ended. */
function run([name, ...args], isAlone) {
  const startedAt = performance.now();
  const child = spawn('npm', ['run', '--silent', name, ...args], {
    cwd: root,
    env: { ...testSettings, ...process.env },
    stdio: isAlone ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  });
  if (isAlone) console.log(`\n=== ${name}`);
  const output = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data) => output.push(data));
  return new Promise((resolve) => {
    const end = (ok) => {
      if (!isAlone) console.log(`\n=== ${name}\n${Buffer.concat(output).toString()}`);
      resolve({ name, ok, seconds: (performance.now() - startedAt) / 1000 });
    };
    child.on('error', (error) => {
      console.error(error);
      end(false);
    });
    child.on('close', (status) => end(status === 0));
  });
}

const results = [];
for (const stage of stages) {
  results.push(...(await Promise.all(stage.map((step) => run(step, stage.length === 1)))));
  if (results.some(({ ok }) => !ok)) break;
}

console.log('\n=== verify');
for (const { name, ok, seconds } of results)
  console.log(`${name.padEnd(20)}${(ok ? 'ok' : 'FAILED').padEnd(8)}${seconds.toFixed(1).padStart(7)} s`);
for (const [name] of stages.flat().slice(results.length)) console.log(`${name.padEnd(20)}not run`);
const failed = results.filter(({ ok }) => !ok).map(({ name }) => name);
if (failed.length > 0) {
  console.error(`\nverify stopped at ${failed.join(', ')}; run it alone with: npm run ${failed[0]}`);
  process.exitCode = 1;
}
