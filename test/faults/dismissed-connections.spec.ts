import { afterAll, expect, it } from '@jest/globals';
import { TypeOrmPersistence } from '@waymark/typeorm';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { DataSource } from 'typeorm';
import { testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';

// A server that shuts down, or an administrator, ends sessions right behind their log-in: both arrive in one packet.

/** "Ready for query", with which a log-in ends. */
const READY = 'Z'.charCodeAt(0);
const READY_BYTES = 6;

function shutdownMessage(): Buffer {
  const text = ['SFATAL', 'VFATAL', 'C57P01', 'Mterminating connection due to administrator command', ''].join('\0');
  const body = Buffer.from(`${text}\0`);
  const head = Buffer.alloc(5);
  head.write('E');
  head.writeInt32BE(4 + body.length, 1);
  return Buffer.concat([head, body]);
}

/** Passes everything on, but ends so many of the next sessions when they have logged in. */
class Dismissing {
  times = 0;
  dismissed = 0;
  readonly server: Server;

  constructor(target: URL) {
    this.server = createServer((client) => {
      const server = connect(Number(target.port || 5432), target.hostname);
      let isLoggedIn = false;
      for (const socket of [client, server]) socket.on('error', () => {});
      client.pipe(server);
      client.on('close', () => server.destroy());
      server.on('close', () => client.end());
      server.on('data', (chunk: Buffer) => {
        const isReady = !isLoggedIn && chunk.at(-READY_BYTES) === READY;
        isLoggedIn ||= isReady;
        if (!isReady || this.times <= 0) return void client.write(chunk);
        this.times--;
        this.dismissed++;
        client.end(Buffer.concat([chunk, shutdownMessage()]));
        server.destroy();
      });
    });
  }

  /** The URL of the database, by way of this proxy. */
  async open(url: string): Promise<string> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    const through = new URL(url);
    through.hostname = '127.0.0.1';
    through.port = String((this.server.address() as AddressInfo).port);
    return through.href;
  }
}

describeOn(await testBackends('postgres'), 'sessions that are ended right behind their log-in: $name', (backend) => {
  const { tablePrefix, url } = backend;
  afterAll(() => backend.drop());

  it.each(['of our own', 'of the application'])(
    'sessions that are ended right behind their log-in do not end the process, and all calls are answered: a pool %s',
    async (whose) => {
      const proxy = new Dismissing(new URL(url));
      const through = await proxy.open(url);
      const shared = whose === 'of our own' ? undefined : new DataSource({ type: 'postgres', url: through });
      await shared?.initialize();
      const persistence = shared
        ? TypeOrmPersistence.fromDataSource(shared, { tablePrefix })
        : TypeOrmPersistence.fromUrl(through, { tablePrefix });
      await persistence.initialize();
      proxy.times = 5;
      const answers = Array.from({ length: 40 }, (_, n) =>
        persistence.instances.findIds({ ids: [`${n}`], definitionIds: [`${n}`] }),
      );
      expect(await Promise.all(answers)).toHaveLength(40);
      expect(proxy.dismissed).toBe(5);
      await persistence.close();
      await shared?.destroy();
      proxy.server.close();
    },
  );
});
