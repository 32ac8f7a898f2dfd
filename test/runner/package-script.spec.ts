import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import { packageScript } from '../../scripts/package-script.mjs';

const folder = mkdtempSync(path.join(tmpdir(), 'waymark-scripts-'));
afterAll(() => rmSync(folder, { recursive: true }));

const scripts = {
  prelist: "printf 'before '",
  list: "printf '<%s>'",
  fails: 'exit 7',
  prebroken: 'exit 3',
  broken: "printf 'never'",
  leaves: 'true && exec tool',
};
mkdirSync(path.join(folder, 'node_modules/.bin'), { recursive: true });
writeFileSync(path.join(folder, 'node_modules/.bin/tool'), '#!/bin/sh\necho "the tool: $*"\n', { mode: 0o755 });
writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ scripts }));

function run(name: string, options?: Parameters<typeof packageScript>[2]) {
  const { command, args, env } = packageScript(folder, name, options);
  const { status, stdout } = spawnSync(command, args, { cwd: folder, env, encoding: 'utf8' });
  return { status, stdout };
}

it('runs a script of package.json after what npm runs before it, with its arguments as they are', () => {
  const args = ['a b', '$HOME', "it's", '--x=*'];
  expect(run('list', { args })).toEqual({ status: 0, stdout: "before <a b><$HOME><it's><--x=*>" });
});

it('leaves out what npm would run before a script when that has been done', () => {
  expect(run('list', { args: ['a'], isPrepared: true })).toEqual({ status: 0, stdout: '<a>' });
});

it('ends with the exit code of the script', () => expect(run('fails').status).toBe(7));

it('does not run a script after what comes before it has failed', () => {
  expect(run('broken')).toEqual({ status: 3, stdout: '' });
});

it('finds the programs of the packages', () => {
  expect(run('leaves', { args: ['now'] })).toEqual({ status: 0, stdout: 'the tool: now\n' });
});

it('gives a script the variables that it is given', () => {
  expect(packageScript(folder, 'list', { env: { PATH: '/bin', ONE: '1' } }).env).toMatchObject({ ONE: '1' });
});

it('refuses a name that package.json does not have', () => {
  expect(() => packageScript(folder, 'nothing')).toThrow('package.json has no script "nothing".');
});
