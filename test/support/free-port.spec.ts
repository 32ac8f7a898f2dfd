import { existsSync, readFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterEach, expect, it } from '@jest/globals';
import { freePort } from './free-port.js';

const servers: ReturnType<typeof createServer>[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve));
});

/** Where Linux says which ports it gives to those who ask for any. */
const RANGE = '/proc/sys/net/ipv4/ip_local_port_range';

it('a free port lies below those that the system gives to connections and servers of other tests', async () => {
  const first = existsSync(RANGE) ? Number(readFileSync(RANGE, 'utf8').split(/\s/)[0]) : 49_152;
  for (let i = 0; i < 20; i++) expect(await freePort()).toBeLessThan(first);
});

it('a port on which something listens is not called free', async () => {
  const taken = await freePort();
  const server = createServer();
  servers.push(server);
  await once(server.listen(taken, '127.0.0.1'), 'listening');
  for (let i = 0; i < 20; i++) expect(await freePort(taken, taken + 5)).not.toBe(taken);
});
