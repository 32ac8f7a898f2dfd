import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Below the ports that systems give to connections and to servers without a port of their own: one of those could be taken again while
 * the process that is to listen there starts. Every eighth port, which no worker of tests takes: test/support/free-port.ts has the others.
 */
const [FIRST, COUNT, LANES, OWN] = [20_000, 1_250, 8, 7];

/** A port of this machine on which nothing listens, for a process that starts. */
export async function freePort() {
  for (;;) {
    const port = FIRST + OWN + randomInt(COUNT) * LANES;
    if (await isFree(port)) return port;
  }
}

function isFree(port) {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', (error) => (error.code === 'EADDRINUSE' ? resolve(false) : reject(error)));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
