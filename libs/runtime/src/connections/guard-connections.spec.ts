import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { VirtualClock } from '@waymark/testing';
import { loopTurns } from '../event-loop/loop-turns.js';
import { guardConnections } from './guard-connections.js';

const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: h\r\n${more}\r\n`;

describe('connections', () => {
  let server: Server;
  let clock: VirtualClock;
  let begun: string[];
  let handle: (request: IncomingMessage, response: ServerResponse) => unknown;
  const open: Socket[] = [];

  beforeEach(async () => {
    begun = [];
    clock = new VirtualClock();
    handle = ({ url }, response) => response.end(`[${url}]`);
    server = createServer((request, response) => {
      begun.push(request.url!);
      handle(request, response);
    });
    for (let again = 0; again < 2; again++) guardConnections(server, clock);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(async () => {
    for (const socket of open.splice(0)) socket.destroy();
    // One that is not read does not notice that its client has left.
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });

  /** @param allowHalfOpen true: its half stays open when the server has ended its own */
  async function client(allowHalfOpen = false): Promise<Socket> {
    const { port } = server.address() as AddressInfo;
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen });
    open.push(socket);
    await once(socket, 'connect');
    return socket;
  }
  const bodiesOf = (answers: string) => answers.match(/\[[^\]]*\]/g);

  it('connections with requests that do not wait for answers begin one in a turn, and answer them in their order', async () => {
    let turn = 0;
    const turns: number[] = [];
    const count = () => void (turn++, (next = setImmediate(count)));
    let next = setImmediate(count);
    handle = ({ url }, response) => {
      turns.push(turn);
      response.end(`[${url}]`);
    };
    const socket = await client();
    const paths = Array.from({ length: 3000 }, (_, i) => `/${i}`);
    socket.write(paths.map((path) => get(path)).join('') + get('/last', 'Connection: close\r\n'));
    expect(bodiesOf(await text(socket))).toEqual([...paths, '/last'].map((path) => `[${path}]`));
    clearImmediate(next);
    // The first one has that of the chunk that it came with.
    expect(new Set(turns).size).toBeGreaterThanOrEqual(3000);
  });

  it('connections begin a request when those before it are answered, with its body', async () => {
    let answerFirst: (() => void) | undefined;
    handle = async (request, response) => {
      if (request.url === '/first') await new Promise<void>((resolve) => (answerFirst = resolve));
      response.end(`[${(await text(request)).length}]`);
    };
    const socket = await client();
    const body = 'x'.repeat(500_000);
    const post = (path: string, more = '') =>
      `POST ${path} HTTP/1.1\r\nHost: h\r\nContent-Length: ${body.length}\r\n${more}\r\n${body}`;
    const answers = text(socket);
    socket.write(get('/first') + post('/second') + get('/third') + post('/last', 'Connection: close\r\n'));
    while (!answerFirst) await new Promise((resolve) => setImmediate(resolve));
    expect(begun).toEqual(['/first']);
    answerFirst();
    expect(bodiesOf(await answers)).toEqual(['[0]', '[500000]', '[0]', '[500000]']);
  });

  it('connections leave turns to other work between chunks of a byte, whatever reads them', async () => {
    let inTurn = 0;
    let most = 0;
    const look = () => {
      most = Math.max(most, inTurn);
      inTurn = 0;
      next = setImmediate(look);
    };
    let next = setImmediate(look);
    handle = (request, response) => {
      let length = 0;
      request.on('data', (chunk: Buffer) => {
        inTurn++;
        length += chunk.length;
      });
      request.on('end', () => response.end(`[${length}]`));
    };
    const socket = await client();
    const crumbs = Buffer.from('1\r\nx\r\n'.repeat(200_000));
    socket.write(`POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n`);
    socket.write(Buffer.concat([crumbs, Buffer.from('0\r\n\r\n')]));
    expect(bodiesOf(await text(socket))).toEqual(['[200000]']);
    clearImmediate(next);
    // What Node reads at once.
    expect(most).toBeLessThanOrEqual(65_536 / 6 + 1);
  });

  it('connections read a body in chunks on when its reader wants more, and the next request after it', async () => {
    handle = async (request, response) => {
      let length = 0;
      for await (const chunk of request as AsyncIterable<Buffer>) {
        length += chunk.length;
        if (length % 1000 === 0) await new Promise((resolve) => setImmediate(resolve));
      }
      response.end(`[${length}]`);
    };
    const socket = await client();
    const head = 'POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n';
    const body = `${'a\r\n0123456789\r\n'.repeat(30_000)}0\r\n\r\n`;
    const answers = text(socket);
    socket.write(`${head}\r\n${body}${head}Connection: close\r\n\r\n${body}`);
    expect(bodiesOf(await answers)).toEqual(['[300000]', '[300000]']);
  });

  it('connections are not read further while requests wait', async () => {
    const held: ServerResponse[] = [];
    handle = (_request, response) => void held.push(response);
    const socket = await client();
    const many = get('/').repeat(20_000);
    socket.write(many);
    while (held.length === 0) await new Promise((resolve) => setImmediate(resolve));
    const [connection] = await new Promise<Socket[]>((resolve) =>
      setImmediate(() => resolve([held[0]!.socket as Socket])),
    );
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
    // What Node reads at once.
    expect(connection!.bytesRead).toBeLessThanOrEqual(65_536);
    expect(begun).toEqual(['/']);
  });

  it('connections that have closed begin no request that waited', async () => {
    const held: ServerResponse[] = [];
    handle = (_request, response) => void held.push(response);
    const socket = await client();
    socket.on('error', () => undefined);
    socket.write(get('/first') + get('/second'));
    while (held.length === 0) await new Promise((resolve) => setImmediate(resolve));
    const closed = once(held[0]!, 'close');
    held[0]!.socket!.destroy();
    await closed;
    await new Promise((resolve) => setImmediate(resolve));
    expect(begun).toEqual(['/first']);
  });

  it('connections end when another protocol is asked for behind requests that wait', async () => {
    const upgraded: (string | undefined)[] = [];
    server.on('upgrade', ({ url }) => upgraded.push(url));
    handle = () => undefined;
    const socket = await client();
    socket.on('error', () => undefined);
    socket.write(get('/first') + get('/second') + get('/hub', 'Connection: Upgrade\r\nUpgrade: websocket\r\n'));
    await once(socket.resume(), 'close');
    expect(begun).toEqual(['/first']);
    expect(upgraded).toEqual([]);
  });

  it('connections continue after a request that was answered before the next one came', async () => {
    const socket = await client();
    for (const path of ['/a', '/b']) {
      socket.write(get(path));
      await once(socket, 'data');
    }
    socket.write(get('/c', 'Connection: close\r\n'));
    expect(bodiesOf(await text(socket))).toEqual(['[/c]']);
    expect(begun).toEqual(['/a', '/b', '/c']);
  });

  it('connections are taken before work that waits, so that one behind many others is served soon', async () => {
    let ended = 0;
    handle = async ({ url }, response) => {
      if (url !== '/work') return response.end(`[${ended}]`);
      await loopTurns.begin();
      // Work of 20 ms that keeps the thread.
      for (const began = performance.now(); performance.now() - began < 20;);
      ended++;
      return response.end('[done]');
    };
    const workers = await Promise.all(Array.from({ length: 40 }, () => client()));
    for (const worker of workers) worker.write(get('/work', 'Connection: close\r\n'));
    const done = workers.map((worker) => text(worker));
    await once(workers[0]!, 'readable');
    const { port } = server.address() as AddressInfo;
    for (let i = 0; i < 200; i++) open.push(connect({ port, host: '127.0.0.1' }).on('error', () => undefined));
    const health = connect({ port, host: '127.0.0.1' });
    open.push(health);
    health.write(get('/health', 'Connection: close\r\n'));
    const [before] = bodiesOf(await text(health))!;
    await Promise.all(done);
    // All of them have ended otherwise: a turn for each of two hundred connections is a turn for each of forty pieces of work.
    expect(Number(before!.slice(1, -1))).toBeLessThan(25);
  });

  describe('whose last answer leaves before the request has arrived', () => {
    const MB = 1_000_000;
    const refusal = (body: string) => (_request: IncomingMessage, response: ServerResponse) =>
      response.writeHead(413, { connection: 'close' }).end(body);
    const head = (length: number) => `POST / HTTP/1.1\r\nHost: h\r\nContent-Length: ${length}\r\n\r\n`;

    it('connections that answer before the whole request has arrived are not reset: a client that sends all of it first reads the answer', async () => {
      handle = refusal('[too much]');
      for (let attempt = 0; attempt < 5; attempt++) {
        const socket = await client();
        const failed = new Promise<Error>((resolve) => socket.once('error', resolve));
        socket.write(head(20 * MB));
        socket.pause();
        await new Promise((resolve) => socket.write(Buffer.alloc(20 * MB), resolve));
        const answer = await Promise.race([text(socket), failed]);
        expect(answer).toMatch(/^HTTP\/1.1 413 [^]*\[too much\]/);
      }
    });

    it('connections that answer before the whole request has arrived serve no further request', async () => {
      handle = refusal('[too much]');
      const socket = await client();
      socket.write(head(1000));
      await once(socket, 'data');
      socket.write('x'.repeat(1000) + get('/another'));
      socket.end();
      await once(socket, 'close');
      expect(begun).toEqual(['/']);
    });

    it('connections that answer before the whole request has arrived end after ten seconds, however much the client still sends', async () => {
      handle = refusal('[too much]');
      const socket = await client(true);
      socket.on('error', () => undefined);
      socket.write(head(20 * MB));
      await once(socket.resume(), 'end');
      const connections = () =>
        new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count)));
      await clock.advance(9_999);
      expect(await connections()).toBe(1);
      await clock.advance(1);
      while ((await connections()) > 0) await new Promise((resolve) => setImmediate(resolve));
      expect(clock.pending).toEqual([]);
    });

    it('connections that answer before the whole request has arrived end at once when the request is complete', async () => {
      handle = async (request, response) => {
        await text(request);
        response.writeHead(413, { connection: 'close' }).end();
      };
      const socket = await client();
      socket.write(`${head(3)}abc`);
      await once(socket.resume(), 'close');
      expect(clock.pending).toEqual([]);
    });
  });
});
