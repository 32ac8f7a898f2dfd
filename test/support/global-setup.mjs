// Before a test run: builds what processes of tests run, and looks once for the servers that tests can use.
import { spawnSync } from 'node:child_process';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '../..');

export default async function setUp({ testPathPatterns }) {
  build();
  // See depth.ts. A run of files that were named takes all of them.
  process.env.WAYMARK_TEST_DEPTH ??= testPathPatterns.patterns.length > 0 ? 'full' : 'quick';
  const { PROBED_VARIABLE, probeServers } = await import('../dist/support/probe.js');
  process.env[PROBED_VARIABLE] = JSON.stringify(await probeServers());
}

/** A test of yesterday's build says nothing. What is up to date costs little. */
function build() {
  const compiler = path.join(ROOT, 'node_modules/typescript/bin/tsc');
  const { status } = spawnSync(process.execPath, [compiler, '-b', '.', 'test'], { cwd: ROOT, stdio: 'inherit' });
  if (status !== 0) throw new Error('The sources do not compile: npm run build');
  const studio = spawnSync(process.execPath, [path.join(ROOT, 'libs/studio/client/scripts/build.mjs')], {
    stdio: 'inherit',
  });
  if (studio.status !== 0) throw new Error('The pages of Studio cannot be built: npm run build:studio');
}
