import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { SystemClock } from '@waymark/runtime/adapter';
import { resolveHttpOptions } from '../module/http-options.js';
import { OutgoingHttp } from './outgoing-http.js';

describe('answers to outgoing requests', () => {
  let sent = 0;
  const server = http.createServer((request, response) => {
    const length = Number(new URL(request.url!, 'http://x').searchParams.get('bytes'));
    const isAnnounced = request.url!.startsWith('/announced');
    sent = 0;
    response.writeHead(200, isAnnounced ? { 'Content-Length': length } : {});
    response.on('error', () => undefined);
    // As a stream that goes on for as long as the client reads.
    const more = (): void => {
      while (sent < length) {
        const chunk = Buffer.alloc(Math.min(65_536, length - sent));
        sent += chunk.length;
        if (!response.write(chunk)) return void response.once('drain', more);
      }
      response.end();
    };
    if (request.method === 'HEAD') response.end();
    else more();
  });
  let base = '';
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  const outgoing = new OutgoingHttp(
    new SystemClock(),
    resolveHttpOptions({ maxResponseBytes: 100_000, maxDownloadBytes: 200_000 }),
  );
  const get = (path: string, more: { isDownload?: boolean; method?: string } = {}) =>
    outgoing.send({ method: 'GET', url: base + path, headers: [], ...more });

  it('answers to outgoing requests that are too large are refused without the credentials of the URL', async () => {
    const url = `${base.replace('//', '//ann:pw-of-ann@')}/streamed?bytes=100001&api_key=key-of-ann`;
    const refused = get('', { url } as object).then(
      () => '',
      (error: Error & { url: string }) => error.message + error.url,
    );
    expect(await refused).toMatch(/^((?!-of-ann).)*api_key=\(redacted\)((?!-of-ann).)*$/);
  });

  it.each(['/announced', '/streamed'])('answers to outgoing requests are read up to the limit: %s', async (path) => {
    expect((await get(`${path}?bytes=100000`)).body).toHaveLength(100_000);
    await expect(get(`${path}?bytes=100001`)).rejects.toMatchObject({
      code: 'WM5014',
      maxBytes: 100_000,
      message: expect.stringContaining("'http.maxResponseBytes'"),
    });
  });

  it('answers to outgoing requests are not read any further than that', async () => {
    await expect(get('/streamed?bytes=1500000000')).rejects.toMatchObject({ code: 'WM5014' });
    expect(sent).toBeLessThan(100_000_000);
  });

  it('answers to outgoing requests that are files have a limit of their own', async () => {
    expect((await get('/announced?bytes=150000', { isDownload: true })).body).toHaveLength(150_000);
    await expect(get('/streamed?bytes=200001', { isDownload: true })).rejects.toMatchObject({
      code: 'WM5014',
      message: expect.stringContaining("'http.maxDownloadBytes'"),
    });
  });

  it('answers to outgoing requests without a body may announce any size', async () => {
    expect((await get('/announced?bytes=150000', { method: 'HEAD' })).status).toBe(200);
  });

  it.each(['maxResponseBytes', 'maxResponseValues', 'maxDownloadBytes', 'defaultBodyBytes', 'bodyValues'])(
    'answers to outgoing requests refuse invalid limits: %s',
    (name) => expect(() => resolveHttpOptions({ [name]: 0 })).toThrow(`'http.${name}'`),
  );

  it('answers to outgoing requests have no limit if it is Infinity', () => {
    expect(resolveHttpOptions({ bodyBytes: Infinity, maxDownloadBytes: Infinity })).toMatchObject({
      bodyBytes: Infinity,
      maxDownloadBytes: Infinity,
    });
  });
});
