import { once } from 'node:events';
import { createServer } from 'node:net';
import { randomInt } from 'node:crypto';

/**
 * Below the ports that systems give to connections and to servers without a port of their own. One of those would be taken again while
 * the process that is to listen there starts: tests open hundreds of them in that time.
 */
const [FIRST, END] = [20_000, 30_000];

/** A port of this machine on which nothing listens, for a process that starts: from `first`, below `end`. */
export async function freePort(first = FIRST, end = END): Promise<number> {
  for (;;) {
    const port = randomInt(first, end);
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
