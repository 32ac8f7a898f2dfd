import { connect } from 'node:net';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { publishEcho, startApp, type TestServer } from './testing/http-test-app.js';

const CHUNKED = 'Transfer-Encoding: chunked\r\n';
const LENGTH = 'Content-Length: 2\r\n';
const IN_CHUNKS = '2\r\n{}\r\n0\r\n\r\n';

/** What a proxy in front may read in another way: then the request behind is smuggled past it. */
const UNCLEAR: readonly [what: string, headers: string, body: string][] = [
  ['one length twice', LENGTH + LENGTH, '{}'],
  ['lengths that differ', `${LENGTH}Content-Length: 3\r\n`, '{}'],
  ['a list of lengths', 'Content-Length: 2, 2\r\n', '{}'],
  ['a signed length', 'Content-Length: +2\r\n', '{}'],
  ['a hexadecimal length', 'Content-Length: 0x2\r\n', '{}'],
  ['an empty length', 'Content-Length: \r\n', ''],
  ['a length beyond 64 bits', 'Content-Length: 18446744073709551618\r\n', '{}'],
  ['a length, then chunks', LENGTH + CHUNKED, IN_CHUNKS],
  ['chunks, then a length', CHUNKED + LENGTH, IN_CHUNKS],
  ['chunks twice', CHUNKED + CHUNKED, IN_CHUNKS],
  ['chunks, then another coding', 'Transfer-Encoding: chunked, identity\r\n', IN_CHUNKS],
  ['an unknown coding', 'Transfer-Encoding: xchunked\r\n', IN_CHUNKS],
  ['a blank before the colon', 'Transfer-Encoding : chunked\r\n', IN_CHUNKS],
  ['a control character in the coding', `Transfer-Encoding: \u000bchunked\r\n${LENGTH}`, '{}'],
  ['a header on two lines', `X: a\r\n b\r\n${LENGTH}`, '{}'],
  ['a coding on the second line', 'Transfer-Encoding:\r\n chunked\r\n', IN_CHUNKS],
  ['a length on the second line', 'Content-Length:\r\n 2\r\n', '{}'],
  ['a first header that continues', ` X: a\r\n${LENGTH}`, '{}'],
  ['a line feed alone', `X: a\n${LENGTH}`, '{}'],
  ['a carriage return alone', `X: a\r${CHUNKED}${LENGTH}`, '{}'],
  ['a zero', `X: a\0b\r\n${LENGTH}`, '{}'],
  ['a line feed that ends a chunk extension', CHUNKED, '2;a\n{}\r\n0\r\n\r\n'],
  ['chunks between line feeds', CHUNKED, '2\n{}\n0\n\n'],
  ['a prefixed chunk size', CHUNKED, '0x2\r\n{}\r\n0\r\n\r\n'],
  ['a negative chunk size', CHUNKED, '-2\r\n{}\r\n0\r\n\r\n'],
  ['a chunk size beyond 64 bits', CHUNKED, '10000000000000002\r\n{}\r\n0\r\n\r\n'],
  ['a chunk without its end', CHUNKED, '2\r\n{}xx0\r\n\r\n'],
  ['a length among trailers', CHUNKED, '2\r\n{}\r\n0\r\nContent-Length: 99\r\n\r\n'],
];

const CLEAR: readonly [what: string, headers: string, body: string][] = [
  ['a length', LENGTH, '{}'],
  ['chunks', CHUNKED, IN_CHUNKS],
  ['a chunk extension', CHUNKED, '2;a=b\r\n{}\r\n0\r\n\r\n'],
];

describe.each([FastifyAdapter, ExpressAdapter])('where a request ends (%p)', (Adapter) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startApp(new Adapter());
    await publishEcho(server, 'echo');
  });
  afterAll(() => server.app.close());

  /** @returns the statuses of all answers to a request and the one behind it, which ends the connection */
  const answersTo = (headers: string, body: string): Promise<string[]> =>
    new Promise((resolve, reject) => {
      const { port } = server.app.getHttpServer().address() as { port: number };
      const socket = connect(port, '127.0.0.1');
      let answers = '';
      socket.setEncoding('latin1').on('data', (text: string) => (answers += text));
      socket.on('error', reject);
      socket.on('close', () => resolve(Array.from(answers.matchAll(/HTTP\/1\.1 (\d+) /g), ([, status]) => status!)));
      const post = `POST /workflows/echo HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\n${headers}\r\n${body}`;
      socket.write(`${post}GET /own HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n`, 'latin1');
    });

  it.each(UNCLEAR)(
    'is refused if it is unclear, and the rest of the connection is not read: %s',
    async (_, ...sent) => {
      expect(await answersTo(...sent)).toEqual(['400']);
    },
  );

  it.each(CLEAR)('is known by %s', async (_, ...sent) => {
    expect(await answersTo(...sent)).toEqual(['200', '200']);
  });
});
