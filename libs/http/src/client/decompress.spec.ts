import { brotliCompressSync, deflateRawSync, deflateSync, type Gunzip, createGunzip, gzipSync } from 'node:zlib';
import { jest } from '@jest/globals';
import { DownloadHttpFile } from './download-http-file.js';
import { type Answer, lit, obj, out, run, send, serve } from './testing/outgoing-runs.js';

describe('compressed answers', () => {
  let server: Awaited<ReturnType<typeof serve>>;
  let answer: Answer = {};
  beforeAll(async () => {
    server = await serve(() => answer);
  });
  afterAll(() => server.close());
  const request = (more: object = {}, options: object = {}) =>
    run(
      send({
        url: lit(server.url),
        requestHeaders: obj({ 'Accept-Encoding': 'gzip, br' }),
        parsedContent: out('Content'),
        result: out('Result'),
        ...more,
      }),
      { variables: ['Content', 'Result'], ...options },
    );
  const json = JSON.stringify({ text: 'good morning '.repeat(1000) });
  const headers = (encoding: string) => ({ 'Content-Type': 'application/json', 'Content-Encoding': encoding });

  it.each([
    ['gzip', gzipSync(json)],
    ['X-Gzip', gzipSync(json)],
    ['deflate', deflateSync(json)],
    // As many servers send it.
    ['deflate', deflateRawSync(json)],
    ['gzip, deflate', deflateRawSync(gzipSync(json))],
    // Followed by a line break, as some servers send it.
    ['deflate', Buffer.concat([deflateSync(json), Buffer.from('\r\n')])],
    ['deflate', Buffer.concat([deflateRawSync(json), Buffer.from('\r\n')])],
    ['br', brotliCompressSync(json)],
    ['deflate, gzip', gzipSync(deflateSync(json))],
    ['identity', Buffer.from(json)],
  ])('compressed answers are read: %s', async (encoding, body) => {
    for (const chunked of [false, true]) {
      answer = { headers: headers(encoding), body, chunked };
      const { values, wec } = await request();
      expect([wec.incidents, values.Content]).toEqual([[], JSON.parse(json)]);
      const { contentHeaders } = values.Result as { contentHeaders: object };
      // A relay that passes on content and headers must not pass on what they say of other bytes.
      if (encoding !== 'identity') expect(contentHeaders).toEqual({ 'Content-Type': ['application/json'] });
    }
  });

  it('compressed files are files as they were before', async () => {
    answer = { headers: headers('gzip'), body: gzipSync(json) };
    const node = { ...send({ url: lit(server.url), result: out('Result') }), type: `Elsa.${DownloadHttpFile.name}` };
    const { values } = await run(node, { variables: ['Result'] });
    expect(Buffer.from((values.Result as { bytes: Uint8Array }).bytes).toString()).toBe(json);
  });

  it.each(['application/gzip', 'application/x-gzip; name=a', 'application/x-tgz'])(
    'compressed files that are archives stay as they are, though a server calls them encoded: %s',
    async (type) => {
      const body = gzipSync(json);
      answer = { headers: { 'Content-Type': type, 'Content-Encoding': 'gzip' }, body };
      const node = { ...send({ url: lit(server.url), result: out('Result') }), type: `Elsa.${DownloadHttpFile.name}` };
      const { values } = await run(node, { variables: ['Result'] });
      expect(Buffer.from((values.Result as { bytes: Uint8Array }).bytes).equals(body)).toBe(true);
    },
  );

  it.each([
    ['/a.tar.gz', 'application/x-tar', {}, true],
    ['/a.TGZ', 'application/octet-stream', {}, true],
    ['/a.svgz?x=1', 'image/svg+xml', {}, true],
    ['/get', 'application/x-tar', { 'Content-Disposition': 'attachment; filename="a.tar.gz"' }, true],
    ['/a.tar.gz', 'application/x-tar', { 'Content-Disposition': 'attachment; filename=a.tar; x=b.gz' }, false],
    ['/a.json', 'application/json', {}, false],
    ['/gz', 'application/json', {}, false],
  ])('compressed files stay as they are where their name says that they are: %s', async (path, type, more, stays) => {
    const body = gzipSync(json);
    answer = { headers: { 'Content-Type': type, 'Content-Encoding': 'x-gzip', ETag: '"a"', ...more }, body };
    const url = lit(new URL(path, server.url).href);
    const node = { ...send({ url, result: out('Result') }), type: `Elsa.${DownloadHttpFile.name}` };
    const { values } = await run(node, { variables: ['Result'] });
    const file = values.Result as { bytes: Uint8Array; eTag: string };
    expect([Buffer.from(file.bytes).equals(stays ? body : Buffer.from(json)), file.eTag]).toEqual([
      true,
      stays ? '"a"' : 'W/"a"',
    ]);
    // An answer is content, whatever the URL is called.
    expect((await request({ url, parsedContent: undefined, result: out('Result') })).wec.incidents).toEqual([]);
  });

  it('compressed answers have weak entity tags, which name the same content and not the same bytes', async () => {
    for (const [sent, shown] of [
      ['"a"', 'W/"a"'],
      ['W/"b"', 'W/"b"'],
    ]) {
      answer = { headers: { ...headers('gzip'), ETag: sent! }, body: gzipSync(json) };
      const { values } = await request();
      expect((values.Result as { headers: object }).headers).toMatchObject({ ETag: [shown] });
    }
  });

  it.each([
    ['one', 'gzip', (bomb: Buffer) => gzipSync(bomb)],
    ['one in one', 'gzip, gzip', (bomb: Buffer) => gzipSync(gzipSync(bomb))],
    ['another one', 'br', (bomb: Buffer) => brotliCompressSync(bomb)],
    ['a raw one', 'deflate', (bomb: Buffer) => deflateRawSync(bomb)],
  ])(
    'compressed answers count by what they become, so that a small one does not fill the memory: %s',
    async (_, encoding, compress) => {
      const body = compress(Buffer.alloc(2_000_000));
      expect(body.length).toBeLessThan(100_000);
      answer = { headers: headers(encoding), body };
      const { wec } = await request({}, { http: { maxResponseBytes: 100_000 } });
      expect(wec.incidents).toMatchObject([{ exception: { metadata: { code: 'WM5014' } } }]);
    },
  );

  it('compressed answers are not decompressed any further once they are too large', async () => {
    // Of 300 bytes, which have arrived by then: to end the request ends nothing.
    answer = { headers: headers('gzip, gzip'), body: gzipSync(gzipSync(Buffer.alloc(100_000_000))) };
    const steps = jest.spyOn(Object.getPrototypeOf(createGunzip()) as Gunzip, '_transform');
    try {
      await request({}, { http: { maxResponseBytes: 100_000 } });
      const decoders = [...new Set(steps.mock.contexts as Gunzip[])];
      expect(decoders.map(({ destroyed }) => destroyed)).toEqual([true, true]);
    } finally {
      steps.mockRestore();
    }
  });

  it('compressed answers of which a range was asked for stay as they are: it is one of the compressed bytes', async () => {
    const part = gzipSync(json).subarray(10, 60);
    const contentRange = { 'Content-Range': 'bytes 10-59/200' };
    answer = { status: 206, headers: { ...headers('gzip'), ...contentRange }, body: part };
    const node = { ...send({ url: lit(server.url), result: out('Result') }), type: `Elsa.${DownloadHttpFile.name}` };
    const { values, wec } = await run(node, { variables: ['Result'] });
    expect(wec.incidents).toEqual([]);
    expect(Buffer.from((values.Result as { bytes: Uint8Array }).bytes)).toEqual(part);
  });

  it.each([
    ['is not what it says', 'gzip', Buffer.from(json)],
    ['is cut off', 'gzip', gzipSync(json).subarray(0, 40)],
    ['is not what it says, deflate', 'deflate', Buffer.from([0xff, 0xff, 0xff])],
    ['is cut off, deflate', 'deflate', deflateSync(json).subarray(0, 40)],
    ['is cut off, raw', 'deflate', deflateRawSync(json).subarray(0, 40)],
  ])('compressed answers fault where their content %s', async (_, encoding, body) => {
    answer = { headers: headers(encoding), body };
    const { wec } = await request();
    expect(wec.incidents).toMatchObject([
      { exception: { metadata: { code: 'WM5048' } }, message: expect.stringContaining("'Accept-Encoding: identity'") },
    ]);
  });

  it('compressed answers may be empty, as those to HEAD and with status 204 are', async () => {
    for (const [status, method, chunked] of [
      [200, 'HEAD', false],
      [204, 'GET', true],
      [304, 'GET', true],
      [200, 'GET', false],
      [200, 'GET', true],
    ] as const) {
      answer = { status, headers: headers('gzip'), body: '', chunked };
      const { wec, values } = await request({
        method: lit(method),
        statusCode: out('Content'),
        parsedContent: undefined,
      });
      expect([method, wec.incidents, values.Content]).toEqual([method, [], status]);
    }
  });

  it('compressed answers stay as they are in a coding that is not known', async () => {
    answer = { headers: { ...headers('zstd'), 'Content-Type': 'application/octet-stream' }, body: 'anything' };
    const { values, wec } = await request({ parsedContent: undefined });
    expect(wec.incidents).toEqual([]);
    expect(values.Result).toMatchObject({ contentHeaders: { 'Content-Encoding': ['zstd'] } });
  });
});
