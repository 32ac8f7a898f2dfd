import { existsSync, readFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterEach, expect, it } from '@jest/globals';
import { freePort, laneOf, portsOf } from './free-port.js';

const take = (count: number, ports: Iterator<number>): number[] =>
  Array.from({ length: count }, () => ports.next().value as number);

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
  expect(await freePort([taken, taken, taken + 8][Symbol.iterator]())).toBe(taken + 8);
});

it('two that ask side by side have different ports, also when nothing listens there yet', async () => {
  const ports = await Promise.all(Array.from({ length: 50 }, () => freePort()));
  expect(new Set(ports).size).toBe(50);
});

it('workers of a run have ports of their own, of which scripts have none', () => {
  const lanes = [1, 2, 3, 4, 5, 6, 7].map((worker) => laneOf(worker, 4711));
  expect(lanes.toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6]);
  const taken = lanes.flatMap((lane) => take(1_250, portsOf(lane)));
  expect(new Set(taken).size).toBe(7 * 1_250);
  expect([Math.min(...taken), Math.max(...taken)]).toEqual([20_000, 29_998]);
  expect(taken.filter((port) => port % 8 === 7)).toEqual([]);
});
