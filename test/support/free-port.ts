import { once } from 'node:events';
import { createServer } from 'node:net';
import { randomInt } from 'node:crypto';

/**
 * Below the ports that systems give to connections and to servers without a port of their own. One of those would be taken again while
 * the process that is to listen there starts: tests open hundreds of them in that time.
 */
const [FIRST, END] = [20_000, 30_000];

/**
 * A port is looked at seconds before the process listens there: two that look at the same time must not see the same one. So each worker of a run
 * has a lane of its own, every so many-th port. The last lane is that of scripts/free-port.mjs.
 */
const LANES = 8;

/** Ports of a lane, from any of them on, each once before the first one comes again. */
export function* portsOf(lane: number): Generator<number, never> {
  const count = Math.floor((END - FIRST) / LANES);
  for (let at = randomInt(count); ; at = (at + 1) % count) yield FIRST + lane + at * LANES;
}

/** Those of a worker, by its number: side by side they have different ones. Workers of another run of this machine begin at another lane. */
export const laneOf = (worker: number, run = process.ppid): number => (run + worker) % (LANES - 1);

const own = portsOf(laneOf(Number(process.env.JEST_WORKER_ID ?? 0)));

/** A port of this machine on which nothing listens, for a process that starts. */
export async function freePort(ports: Iterator<number> = own): Promise<number> {
  for (;;) {
    const port = ports.next().value as number;
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return false;
    throw error;
  }
  server.close();
  await once(server, 'close');
  return true;
}
