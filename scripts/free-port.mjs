import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Below the ports that systems give to connections and to servers without a port of their own: one of those could be taken again while
 * the process that is to listen there starts. The same of specifications: test/support/free-port.ts.
 */
const [FIRST, END] = [20_000, 30_000];

/** A port of this machine on which nothing listens, for a process that starts. */
export async function freePort() {
  for (;;) {
    const port = randomInt(FIRST, END);
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
