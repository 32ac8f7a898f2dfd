import { once } from 'node:events';
import net from 'node:net';
import { SystemClock } from '@waymark/runtime/adapter';
import { resolveHttpOptions } from '../module/http-options.js';
import { OutgoingHttp } from './outgoing-http.js';

describe('answers that are no message', () => {
  const outgoing = new OutgoingHttp(new SystemClock(), resolveHttpOptions());
  const sockets = new Set<net.Socket>();
  let head = '';
  const server = net.createServer((socket) => {
    sockets.add(socket.on('error', () => undefined).on('close', () => sockets.delete(socket)));
    socket.on('data', () => socket.write(head));
  });
  let url = '';
  beforeAll(async () => {
    await once(server.listen(0, '127.0.0.1'), 'listening');
    url = `http://127.0.0.1:${(server.address() as net.AddressInfo).port}/`;
  });
  afterAll(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });

  it.each([
    'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    'HTTP/1.1 101 Switching Protocols\r\n\r\n',
  ])('%j fails at once, and its connection is closed', async (answer) => {
    head = answer;
    await expect(outgoing.send({ method: 'GET', url, headers: [] })).rejects.toMatchObject({ code: 'WM5010' });
    await Promise.all([...sockets].map((socket) => once(socket, 'close')));
  });

  it('an interim response is not the answer', async () => {
    head = 'HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
    expect(String((await outgoing.send({ method: 'GET', url, headers: [] })).body)).toBe('ok');
  });

  it.each(['CONNECT', 'TRACE', 'connect'])('%s is not sent', async (method) => {
    await expect(outgoing.send({ method, url, headers: [] })).rejects.toMatchObject({ code: 'WM5012' });
  });
});
