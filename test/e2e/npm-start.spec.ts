import { expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const HOST =
  "process.on('SIGTERM', () => { console.log('shut down'); process.exit(0); });\nsetInterval(() => {}, 1000);\nconsole.log('ready');\n";

/** What npm has left running. */
function endGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

it('a host that npm has started shuts down when npm gets SIGTERM', async () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: { start: string } };
  const folder = mkdtempSync(path.join(os.tmpdir(), 'waymark-npm-start-'));
  mkdirSync(path.join(folder, 'dist'));
  writeFileSync(path.join(folder, 'dist/main.js'), HOST);
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ name: 'host', scripts: { start: scripts.start } }));
  const npm = spawn('npm', ['start', '--silent'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  try {
    let output = '';
    npm.stdout.on('data', (data) => {
      output += String(data);
      if (output === 'ready\n') npm.kill('SIGTERM');
    });
    const closed = once(npm.stdout, 'close');
    const [code, signal] = (await once(npm, 'exit')) as [number | null, string | null];
    endGroup(npm.pid!);
    await closed;
    expect([output, code, signal]).toEqual(['ready\nshut down\n', 0, null]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
