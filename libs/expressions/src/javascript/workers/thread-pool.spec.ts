import { afterAll, describe, expect, it, jest, test } from '@jest/globals';
import { BroadcastChannel } from 'node:worker_threads';
import { HostBridge } from '../sandbox/host-bridge.js';
import { SandboxModuleLoader } from '../sandbox/sandbox-module.js';
import { failureOf, testScope } from '../test-scope.spec.js';
import { SilenceWatch } from './silence-watch.js';
import { ThreadPool } from './thread-pool.js';

jest.setTimeout(120_000);

/** Threads that do otherwise than ours: as text, since threads run no TypeScript. */
const READY = "const { parentPort } = require('node:worker_threads'); parentPort.postMessage({ kind: 'ready' });";
const threadOf = (onJob: string): URL =>
  new URL(
    `data:text/javascript,${encodeURIComponent(
      `import { createRequire } from 'node:module'; const require = createRequire('file:///'); ${READY}
       parentPort.on('message', ({ job, source }) => { ${onJob} });`,
    )}`,
  );

const pools: ThreadPool[] = [];
afterAll(() => Promise.all(pools.map((pool) => pool.close())));

const FOREVER_MS = 600_000;

function poolOf(entry: URL, { silenceMs = FOREVER_MS, startMs = FOREVER_MS } = {}): ThreadPool {
  const pool = new ThreadPool(new SandboxModuleLoader(24), new HostBridge([], undefined, 1e6, 1e6), {
    entry,
    silenceMs,
    startMs,
    workers: 1,
    maxWaiting: 10,
    globals: [],
    sandbox: {
      timeoutMs: 50,
      blockingMs: 50,
      // What a thread may have in all depends on it, and one of these uses that up.
      memoryMb: 1,
      stackKb: 128,
      cacheSize: 10,
      maxResultLength: 1000,
      maxResultValues: 1000,
      hasClock: false,
    },
  });
  pools.push(pool);
  return pool;
}

const done = "parentPort.postMessage({ kind: 'done', job, packed: 's' + source });";

/** What must hold whatever became of a thread: the next one answers. */
async function endOf(pool: ThreadPool): Promise<Error> {
  const ends = ['break', 'next'].map((source) => pool.evaluate(source, testScope(), undefined));
  const error = await failureOf(() => ends[0]);
  expect(await ends[1]).toBe('next');
  return error;
}

describe('a thread that', () => {
  it('a thread that does not answer is replaced', async () => {
    const pool = poolOf(threadOf(`if (source === 'break') for (;;); ${done}`), { silenceMs: 300 });
    expect(await endOf(pool)).toMatchObject({ code: 'WM4001', timeoutMs: 50 });
  });

  it.each([
    ['ends', 'process.exit(3)', 'The thread has ended.'],
    ['throws', "throw new Error('a defect')", 'a defect'],
    [
      'needs more memory than it may have',
      'const all = []; for (;;) all.push(new Array(1e5).fill(source + all.length))',
      'memory limit',
    ],
  ])('a thread that %s is replaced', async (_, breaks, reason) => {
    const pool = poolOf(threadOf(`if (source === 'break') { ${breaks} } ${done}`));
    expect(await endOf(pool)).toMatchObject({
      code: 'WM4002',
      cause: { message: expect.stringContaining(reason) as unknown },
    });
  });

  it('a thread that never starts is a clear error', async () => {
    const pool = poolOf(new URL('data:text/javascript,for (;;);'), { startMs: 100 });
    expect(await failureOf(() => pool.evaluate('1', testScope(), undefined))).toMatchObject({ code: 'WM4007' });
  });

  it.each([
    ['is not there', new URL('file:///nowhere/sandbox-thread.js')],
    ['cannot be started', new URL('data:text/javascript,throw new Error("no")')],
    [
      'finds no sandbox',
      threadOf('').href.replace(
        encodeURIComponent("{ kind: 'ready' }"),
        encodeURIComponent("{ kind: 'unloadable', error: { name: 'Error', message: 'no' } }"),
      ),
    ],
  ])('a thread that %s is a clear error, each time', async (_, entry) => {
    const pool = poolOf(new URL(entry));
    for (let i = 0; i < 2; i++)
      expect(await failureOf(() => pool.evaluate('1', testScope(), undefined))).toMatchObject({ code: 'WM4007' });
    expect(await failureOf(() => pool.load())).toMatchObject({ code: 'WM4007' });
  });
});

test('a thread that is ended while it starts is not a broken installation', async () => {
  const channel = new BroadcastChannel('thread-pool.spec: begun');
  const begun = new Promise((resolve) => (channel.onmessage = resolve));
  const entry = `data:text/javascript,new BroadcastChannel(${encodeURIComponent(`'${channel.name}'`)}).postMessage(1); for (;;);`;
  const pool = poolOf(new URL(entry));
  const loading = failureOf(() => pool.load());
  await begun;
  channel.close();
  await pool.close();
  expect(await loading).toMatchObject({ code: 'WM4011', reason: 'closed' });
});

test('silence while the process itself was held up does not count', async () => {
  const silent = jest.fn();
  const watch = new SilenceWatch(20, silent);
  watch.start();
  // As long as the process is busy, no message can be heard; then one is, and with it the timer is due.
  for (const end = performance.now() + 60; performance.now() < end;);
  setImmediate(() => watch.heard());
  await new Promise((resolve) => setTimeout(resolve, 0));
  await new Promise((resolve) => setImmediate(resolve));
  watch.stop();
  expect(silent).not.toHaveBeenCalled();
});
