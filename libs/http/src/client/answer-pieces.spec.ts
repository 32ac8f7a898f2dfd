import net, { type AddressInfo } from 'node:net';
import { SystemClock } from '@waymark/runtime/adapter';
import { resolveHttpOptions } from '../module/http-options.js';
import { OutgoingHttp } from './outgoing-http.js';

const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n';
const chunks = (count: number, text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`.repeat(count);
const INTERIM = 'HTTP/1.1 102 Processing\r\n\r\n';
const ANSWERS: Readonly<Record<string, string>> = {
  '/bytes': HEAD + chunks(22_000, 'x') + chunks(0, ''),
  '/endless': HEAD + chunks(100_000, 'x'),
  '/few': `${HEAD}${chunks(5000, 'x')}0\r\n\r\n`,
  '/long': `${HEAD}${chunks(20_500, 'x'.repeat(16))}0\r\n\r\n`,
  '/interim': `${INTERIM.repeat(100_000)}HTTP/1.1 204 No Content\r\n\r\n`,
  '/some-interim': `${INTERIM.repeat(100)}HTTP/1.1 204 No Content\r\n\r\n`,
};

describe('answers to outgoing requests in many pieces', () => {
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('data', (head) => socket.write(ANSWERS[/^GET (\S+)/.exec(head.toString())![1]!]!));
  });
  let base = '';
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });

  const outgoing = new OutgoingHttp(new SystemClock(), resolveHttpOptions({}));
  const get = (path: string) =>
    outgoing.send({ method: 'GET', url: base + path, headers: [['Connection', 'close']] }).then(
      ({ status, body }) => [status, body.length],
      (error: { code: string; message: string }) => [
        error.code,
        error.message.replaceAll(/\d+ pieces.*?bytes/g, 'pieces'),
      ],
    );

  it.each(['/bytes', '/endless'])(
    'answers to outgoing requests in more than 20,000 pieces of a byte are refused: %s',
    async (path) => {
      expect(await get(path)).toEqual([
        'WM6082',
        expect.stringContaining(`GET ${base}${path} was answered with pieces in total.`),
      ]);
    },
  );

  it('answers to outgoing requests may come in many pieces that have some bytes each, or in fewer', async () => {
    expect([await get('/few'), await get('/long')]).toEqual([
      [200, 5000],
      [200, 328_000],
    ]);
  });

  it('more than a hundred interim answers are refused', async () => {
    expect(await get('/interim')).toEqual(['WM6082', expect.stringContaining('more than 100 interim answers')]);
    expect(await get('/some-interim')).toEqual([204, 0]);
  });
});
