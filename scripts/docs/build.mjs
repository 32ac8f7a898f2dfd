// Builds the site: the reference by TypeDoc, then the pages. TypeDoc takes as long as all pages, and what it guards (a warning, a link in a
// docstring that leads nowhere) changes with the public surface alone: in CI it has its turn in one of three commits.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { hasTurn } from '../turns.mjs';

const root = path.resolve(import.meta.dirname, '../..');

function run(...command) {
  const { status, error } = spawnSync(process.execPath, command, { cwd: root, stdio: 'inherit' });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}

if (hasTurn('the API reference')) run('node_modules/typedoc/bin/typedoc', '--options', 'scripts/docs/typedoc.json');
else console.log('NOT BUILT: the API reference, which another commit builds.');
run('docs/node_modules/vitepress/bin/vitepress.js', 'build', 'docs');
