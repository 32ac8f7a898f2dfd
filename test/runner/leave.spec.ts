import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it } from '@jest/globals';

/** What Jest sends. */
const END = [2, false];

/** A worker that does this, and is told that all tests are over. @returns how it ended, and what it said */
async function worker(does: string) {
  const folder = JSON.stringify(path.join(import.meta.dirname, 'leave.cjs'));
  const code = `require(${folder}).leaveAtTheEnd(1); ${does}; process.send('ready');`;
  const env = { ...process.env, NODE_OPTIONS: '', JEST_WORKER_ID: '1' };
  const child = fork('-e', [code], { execArgv: [], env, stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
  const said = text(child.stderr!);
  await once(child, 'message');
  child.send(END);
  const [exitCode] = (await once(child, 'close')) as [number | null];
  return { exitCode, said: await said };
}

it('a worker ends by itself although a test has left a timer, and says so', async () => {
  const { exitCode, said } = await worker('setInterval(() => {}, 1e9)');
  expect(exitCode).toBe(0);
  expect(said).toContain('Left open when all tests had ended: ');
  expect(said).toContain('Timeout');
});

it('a worker without open handles ends silently', async () => {
  expect(await worker('process.on("message", function own() { process.removeListener("message", own); })')).toEqual({
    exitCode: 0,
    said: '',
  });
});
