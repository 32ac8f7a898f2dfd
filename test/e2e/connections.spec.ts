import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { afterAll, expect, it } from '@jest/globals';
import { BuiltHost } from '../support/built-host.js';
import { itAfterQuick } from '../support/pairs.js';

const HOST_TEST_MS = 120_000;
/** More than the 511 that Node asks the system for. */
const MANY = 1200;

/** Undefined: the system is another one. */
function mostHeld(): number | undefined {
  try {
    return Number(readFileSync('/proc/sys/net/core/somaxconn', 'utf8'));
  } catch {
    return undefined;
  }
}
const canHoldThem = (mostHeld() ?? 0) > MANY;

// How many connections it asks the system for, says its main module.
const host = BuiltHost.asBuilt();
const sockets: Socket[] = [];
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await host.remove();
});

(canHoldThem ? itAfterQuick : it.skip)(
  'connections that come at once are held for the process while it is busy, and served when it is not',
  async () => {
    await host.start();
    const { hostname, port } = new URL(host.url);
    host.signal('SIGSTOP');
    for (let i = 0; i < MANY; i++) sockets.push(connect(Number(port), hostname));
    // The system completes those that it holds; it lets the others try again.
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    host.signal('SIGCONT');
    const answers = sockets.map(async (socket) => {
      socket.write('GET /health/live HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
      const [chunk] = (await once(socket, 'data')) as [Buffer];
      return chunk.toString('latin1').slice(0, 15);
    });
    expect(new Set(await Promise.all(answers))).toEqual(new Set(['HTTP/1.1 200 OK']));
  },
  HOST_TEST_MS,
);
