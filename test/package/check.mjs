// Checks the packages as their users get them: packed, installed, imported and run.
//
//   npm run pack:check                       needs a build
//   npm run pack:check -- --no-run           leaves out the applications that run a workflow, and says so
//   npm run pack:check -- --keep             keeps the temporary folder
//
// In two parts, as `npm run verify` has it. The first one waits for npm, and nothing in it has a time to answer in, so that it can run
// beside anything:
//
//   npm run pack:prepare -- <folder>         packs, checks the tarballs, installs them there and compiles
//   npm run pack:check -- --in <folder>      runs what has been prepared there, and removes the folder
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { prepare } from './prepare.mjs';
import { runAll } from './run.mjs';

const { values } = parseArgs({
  options: {
    'no-run': { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
    'prepare-in': { type: 'string' },
    in: { type: 'string' },
  },
});
const noRun = values['no-run'];
const given = values['prepare-in'] ?? values.in;
const folder = given === undefined ? mkdtempSync(path.join(os.tmpdir(), 'waymark-pack-')) : path.resolve(given);
const keep = values.keep || values['prepare-in'] !== undefined;
let failures = 0;

/** @param body what answers with the problems */
async function check(name, body) {
  const startedAt = performance.now();
  let problems;
  try {
    problems = await body();
  } catch (error) {
    problems = [error.stack ?? String(error)];
  }
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(`${problems.length === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)`);
  for (const problem of problems) console.log(`       ${problem.replaceAll('\n', '\n       ')}`);
  failures += problems.length;
}

try {
  if (values.in === undefined) await prepare(folder, { noRun, check });
  if (values['prepare-in'] === undefined) {
    if (noRun) console.log('NOT RUN: the workflows of the applications, other versions of Node, recipes (--no-run)');
    // What has not been installed or compiled would only fail once more.
    else if (failures > 0) console.log('NOT RUN: what has been compiled, since not all of it could be prepared');
    else await runAll(folder, check);
  }
} finally {
  if (keep) console.log(`kept: ${folder}`);
  else rmSync(folder, { recursive: true, force: true });
}

const name = values['prepare-in'] === undefined ? 'pack:check' : 'pack:prepare';
console.log(failures === 0 ? `\n${name} passed` : `\n${name}: ${failures} problem(s)`);
process.exitCode = failures === 0 ? 0 : 1;
