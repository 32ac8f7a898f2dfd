// Everything a change has to pass, in the order in which a failure is cheapest to see; the build comes early because lint
// reads the types it writes. Stops at the first failure.
//
//   npm run verify
//
// WAYMARK_TEST_REPORT=<file>  writes Jest's own JSON report there as well.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');
const report = process.env.WAYMARK_TEST_REPORT;

const steps = [
  ['format:check'],
  ['build'],
  ['lint'],
  ['layers'],
  ['typecheck'],
  ['conformance:verify'],
  ['test', ...(report ? ['--', '--json', `--outputFile=${path.resolve(report)}`] : [])],
  ['pack:check'],
];

const durations = [];
let failed;
for (const [name, ...args] of steps) {
  console.log(`\n=== ${name}`);
  const startedAt = performance.now();
  const { status, error } = spawnSync('npm', ['run', '--silent', name, ...args], {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (error) console.error(error);
  const ok = status === 0;
  durations.push([name, ok ? 'ok' : 'FAILED', ((performance.now() - startedAt) / 1000).toFixed(1)]);
  if (!ok) {
    failed = name;
    break;
  }
}

console.log('\n=== verify');
for (const [name, result, seconds] of durations) {
  console.log(`${name.padEnd(20)}${result.padEnd(8)}${seconds.padStart(7)} s`);
}
for (const [name] of steps.slice(durations.length)) console.log(`${name.padEnd(20)}not run`);
if (failed) {
  console.error(`\nverify stopped at "${failed}"; run it alone with: npm run ${failed}`);
  process.exitCode = 1;
}
