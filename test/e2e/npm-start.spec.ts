import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

// npm passes on what the host has got already.
const HOST = `
const end = () => { console.log('shut down'); process.exit(0); };
process.on('SIGTERM', end).on('SIGINT', end);
console.log('ready');
if (process.env.FAILS) process.exit(3);
setInterval(() => {}, 1000);
`;
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: { start: string } };
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'waymark-npm-start-'));
  mkdirSync(path.join(folder, 'dist'));
  writeFileSync(path.join(folder, 'dist/main.js'), HOST);
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ name: 'host', scripts: { start: scripts.start } }));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What npm has left running. */
function endGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** As a terminal does with Ctrl-C: npm, its shell and what that has started get it at once. */
const signalGroup = (leader: number): void => void process.kill(-leader, 'SIGINT');
const signalNpm = (npm: number): void => void process.kill(npm, 'SIGTERM');

it.each([
  ['npm gets SIGTERM', signalNpm],
  ['Ctrl-C is pressed', signalGroup],
])('a host that npm has started shuts down when %s', async (_what, signal) => {
  const npm = spawn('npm', ['start', '--silent'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  let output = '';
  npm.stdout.on('data', (data) => {
    output += String(data);
    if (output === 'ready\n') signal(npm.pid!);
  });
  const closed = once(npm.stdout, 'close');
  const [code, by] = (await once(npm, 'exit')) as [number | null, string | null];
  endGroup(npm.pid!);
  await closed;
  expect([output, code, by]).toEqual(['ready\nshut down\n', 0, null]);
});

// The second as cmd.exe, which has no such command.
it.each([
  ['with exec', 'sh', ['-c', scripts.start]],
  ['without exec', 'bash', ['-c', `enable -n exec\n${scripts.start}`]],
])('a host that fails is started once in a shell %s, which ends with its code', (_which, shell, values) => {
  const { stdout, status } = spawnSync(shell, values, {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, FAILS: '1' },
  });
  expect([stdout, status]).toEqual(['ready\n', 3]);
});
