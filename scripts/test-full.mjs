// All tests, with all of the long ones: each fault at each call of the store, the whole hostile corpus, nodes that are killed while
// they work. Takes half an hour on two cores; run it before a release, and after a change of a store, of the runtime or of limits.
//
//   npm run test:full [-- <arguments of jest>]
import { spawn } from 'node:child_process';

const env = { ...process.env, WAYMARK_TEST_DEPTH: 'full' };
const args = ['test', '--silent', '--', '--maxWorkers=3', ...process.argv.slice(2)];
const child = spawn('npm', args, { env, stdio: 'inherit', shell: process.platform === 'win32' });
child.on('close', (status) => (process.exitCode = status ?? 1));
