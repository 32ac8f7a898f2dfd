// Before a test run: builds what processes of tests run, and looks once for the servers that tests can use.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { TSC } from '../../scripts/compiler.mjs';
import { bundleScripts } from './bundle-scripts.mjs';
import { isBuilt, transpileAll, transpileProject } from './transpile.mjs';

const ROOT = path.resolve(import.meta.dirname, '../..');

export default async function setUp({ testPathPatterns }, { cacheDirectory }) {
  // See depth.ts and pairs.ts. A run of files that were named takes all of them.
  process.env.WAYMARK_TEST_DEPTH ??= testPathPatterns.patterns.length > 0 ? 'full' : 'quick';
  process.env.WAYMARK_TEST_PAIRS ??= process.env.WAYMARK_TEST_DEPTH === 'full' ? 'all' : 'some';
  // Jest counts tests on a terminal while their file runs, see without-messages.cjs.
  if (process.stdout.isTTY) process.env.WAYMARK_TEST_SHOWN ??= '1';
  await build(cacheDirectory);
  const { PROBED_VARIABLE, probeServers } = await import('../dist/support/probe.js');
  const { newRun, RUN_VARIABLE } = await import('../dist/support/server-connection.js');
  process.env[RUN_VARIABLE] = newRun();
  process.env[PROBED_VARIABLE] = JSON.stringify(await probeServers());
}

/** A test of yesterday's build says nothing. What is up to date costs little; else both take a core. */
async function build(cacheDirectory) {
  const pages = run(path.join(ROOT, 'libs/studio/client/scripts/build.mjs'));
  // A run of named files, or of the whole matrix, has types as well.
  if (!isBuilt() && process.env.WAYMARK_TEST_PAIRS === 'some') transpileAll(cacheDirectory);
  // Just before, `npm run verify` has built the libraries and checked all types.
  else if (process.env.WAYMARK_TEST_AFTER_QUICK) transpileProject(path.join(ROOT, 'test'), cacheDirectory);
  else if ((await run(TSC, '-b', '.', 'test')) !== 0) throw new Error('The sources do not compile: npm run build');
  // Beside the pages, which keep one processor busy for longer.
  await bundleScripts();
  if ((await pages) !== 0) throw new Error('The pages of Studio cannot be built: npm run build:studio');
}

/** @returns its exit code */
async function run(script, ...values) {
  const child = spawn(process.execPath, [script, ...values], { cwd: ROOT, stdio: 'inherit' });
  const [code] = await once(child, 'close');
  return code;
}
