import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { refuseUpgrade, takeUpgrades } from './upgrades.js';

const upgrade = (path: string, protocol: string) =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: ${protocol}\r\n\r\n`;

describe('upgrades', () => {
  let server: Server;
  const open: Socket[] = [];

  beforeEach(async () => {
    server = createServer((request, response) => {
      void text(request).then((body) => {
        response.end(`${request.method} ${request.url} ${String(request.headers.connection)} [${body}]`);
      });
    });
    takeUpgrades(
      server,
      (url) => url.startsWith('/hub'),
      (_request, socket) => refuseUpgrade(socket, { status: 403, body: { code: 'ours' } }),
    );
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(async () => {
    for (const socket of open.splice(0)) socket.destroy();
    server.close();
    await once(server, 'close');
  });

  async function client() {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    open.push(socket);
    await once(socket, 'connect');
    let heard = '';
    socket.on('data', (data) => (heard += data.toString()));
    return {
      socket,
      until: async (part: string) => {
        while (!heard.includes(part)) await once(socket, 'data');
        return heard;
      },
    };
  }

  it('the hub handles upgrades to its path', async () => {
    const { socket, until } = await client();
    socket.write(upgrade('/hub', 'websocket'));
    const heard = await until('ours');
    expect(heard).toMatch(/^HTTP\/1.1 403 Forbidden\r\n/);
    await once(socket, 'close');
  });

  it('upgrades to other protocols are served as ordinary requests, with their bodies, on a connection that stays open', async () => {
    const { socket, until } = await client();
    const body = 'x'.repeat(100_000);
    socket.write(
      `POST /endpoint HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings, keep-alive\r\nUpgrade: h2c\r\n` +
        `HTTP2-Settings: AAMAAABk\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    const answer = await until(']');
    expect(answer.replace(body, 'body')).toContain('POST /endpoint keep-alive [body]');
    socket.write('GET /next HTTP/1.1\r\nHost: x\r\n\r\n');
    await until('GET /next undefined []');
    socket.write(upgrade('/hub', 'h2c'));
    await until('GET /hub  []');
  });

  it('upgrades to other protocols are served one in each turn', async () => {
    let turn = 0;
    const count = () => void (turn++, (next = setImmediate(count)));
    let next = setImmediate(count);
    const turns: number[] = [];
    server.prependListener('request', () => turns.push(turn));
    const { socket, until } = await client();
    socket.write(Array.from({ length: 300 }, (_, i) => upgrade(`/${i}`, 'h2c')).join(''));
    await until('GET /299 ');
    clearImmediate(next);
    expect(new Set(turns).size).toBeGreaterThanOrEqual(299);
  });

  it('upgrades to other protocols behind requests that are not answered yet are served after them', async () => {
    const { socket, until } = await client();
    socket.write(Array.from({ length: 20 }, (_, i) => upgrade(`/${i}`, 'h2c')).join(''));
    const heard = await until('GET /19 ');
    expect([...heard.matchAll(/GET \/(\d+) /g)].map(([, i]) => Number(i))).toEqual(
      Array.from({ length: 20 }, (_, i) => i),
    );
  });

  it('a client that resets the connection while its upgrade waits is dropped', async () => {
    // Not answered until the client is gone.
    const [answer] = server.listeners('request') as ((...args: unknown[]) => void)[];
    server.removeAllListeners('request');
    const connected = once(server, 'connection') as Promise<[Socket]>;
    const asked = once(server, 'request') as Promise<[IncomingMessage, ServerResponse]>;
    const { socket } = await client();
    const [taken] = await connected;
    socket.write(`GET /first HTTP/1.1\r\nHost: x\r\n\r\n${upgrade('/next', 'h2c')}`);
    const [, response] = await asked;
    // Both came in one piece, so that Node has passed on the upgrade as well. Not by `once`, which listens to errors.
    const dropped = new Promise((resolve) => taken.on('close', resolve));
    socket.resetAndDestroy();
    await dropped;
    response.end('late');
    server.on('request', answer!);
    const other = await client();
    other.socket.write('GET /other HTTP/1.1\r\nHost: x\r\n\r\n');
    await other.until('GET /other');
  });

  it('upgrades of a gateway of the application are left to it, and it receives none of the hub', async () => {
    const seen: (string | undefined)[] = [];
    server.on('upgrade', (request, socket) => {
      seen.push(request.url);
      socket.end('HTTP/1.1 400 Bad Request\r\n\r\ntheirs');
    });
    const [ours, theirs] = [await client(), await client()];
    ours.socket.write(upgrade('/hub', 'websocket'));
    await ours.until('ours');
    theirs.socket.write(upgrade('/gateway', 'websocket'));
    await theirs.until('theirs');
    expect(seen).toEqual(['/gateway']);
  });
});
