import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import type { Random } from './random.js';

/** Stands between the nodes and the database server, so that connections can be cut as a bad network would. */
export class CuttableProxy {
  private readonly pairs = new Set<readonly [Socket, Socket]>();

  private constructor(
    private readonly server: Server,
    /** The URL of the database, by way of the proxy. */
    readonly url: string,
  ) {}

  static async open(url: string): Promise<CuttableProxy> {
    const target = new URL(url);
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const through = new URL(url);
    through.hostname = '127.0.0.1';
    through.port = String(port);
    const proxy = new CuttableProxy(server, through.href);
    server.on('connection', (client) => proxy.join(client, Number(target.port), target.hostname));
    return proxy;
  }

  /** Cuts one connection, whatever is on its way. False when there is none. */
  cutOne(random: Random): boolean {
    if (this.pairs.size === 0) return false;
    for (const socket of random.pick([...this.pairs])) socket.destroy();
    return true;
  }

  async close(): Promise<void> {
    for (const pair of this.pairs) for (const socket of pair) socket.destroy();
    const closed = once(this.server, 'close');
    this.server.close();
    await closed;
  }

  private join(client: Socket, port: number, host: string): void {
    const server = connect(port, host);
    const pair = [client, server] as const;
    this.pairs.add(pair);
    for (const [from, to] of [pair, [server, client] as const]) {
      from.setNoDelay(true);
      from.pipe(to);
      // A cut is not an error here; both ends see it as the end of their connection.
      from.on('error', () => {});
      from.on('close', () => {
        this.pairs.delete(pair);
        to.destroy();
      });
    }
  }
}
