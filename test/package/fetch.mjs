// Has npm keep in its cache what the package checks install and no lock file names: programs of Node, forty megabytes each, and pnpm. In CI
// while the first tests run: npm would otherwise wait for them beside the second ones, after which nothing else is left to do. What cannot
// be fetched now is fetched when it is installed.
//
//   node test/package/fetch.mjs
import { spawnSync } from 'node:child_process';
import { NODE_PACKAGE, NODE_VERSIONS } from './node-versions.mjs';
import { PNPM } from './pnpm-strict.mjs';

const specifiers = [...NODE_VERSIONS.map((version) => `${NODE_PACKAGE}@${version}`), `pnpm@${PNPM}`];
const { status } = spawnSync('npm', ['cache', 'add', ...specifiers, '--prefer-offline', '--loglevel=error'], {
  stdio: 'inherit',
  shell: process.platform === 'win32',
});
process.exitCode = status ?? 1;
