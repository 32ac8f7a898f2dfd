import { gzipSync } from 'node:zlib';
import { jest } from '@jest/globals';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { AdapterExchange } from '../requests/adapter-exchange.js';
import {
  act,
  endpoint,
  lit,
  multipart,
  obj,
  publishEcho,
  ref,
  respond,
  show,
  variable,
  startApp,
  type TestServer,
} from './testing/http-test-app.js';

describe.each([FastifyAdapter, ExpressAdapter])('bodies (%p)', (Adapter) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startApp(new Adapter(), { bodyBytes: 1_000_000 });
  });
  afterAll(() => server.app.close());

  const json = (body: string) => ({ body, headers: { 'Content-Type': 'application/json' } });

  it.each([
    ['too deep', '['.repeat(20_000) + ']'.repeat(20_000)],
    ['malformed and deep', '{"a":'.repeat(50_000)],
    ['malformed and long', `{"a":"${'x'.repeat(900_000)}`],
    ['of too many values', `[${'1,'.repeat(250_000)}1]`],
  ])('refuses JSON that is %s with 400', async (kind, body) => {
    const path = `json-${kind.replaceAll(' ', '-')}`;
    const id = await publishEcho(server, path);
    const answer = await server.call('POST', `/workflows/${path}`, json(body));
    expect([answer.status, answer.json]).toEqual([400, expect.objectContaining({ code: 'WM5006' })]);
    expect(answer.text.length).toBeLessThan(1000);
    expect(await server.instances(id)).toEqual([]);
  });

  it.each([
    ['application/json', '{"a":1}'],
    ['text/plain', 'text'],
    ['application/xml', '<a/>'],
    ['application/x-www-form-urlencoded', 'a=1'],
    ['multipart/form-data; boundary=b', '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--b--\r\n'],
    ['application/octet-stream', 'bytes'],
    [undefined, 'bytes'],
  ])('refuses a compressed body of type %s with 415, and starts nothing', async (type, text) => {
    const path = `coded-${type?.replace(/\W+/g, '-') ?? 'none'}`;
    const id = await publishEcho(server, path);
    for (const coding of ['gzip', 'GZIP', 'br', 'identity, deflate']) {
      const headers = { 'Content-Encoding': coding, ...(type !== undefined && { 'Content-Type': type }) };
      const answer = await server.call('POST', `/workflows/${path}`, { body: gzipSync(text), headers });
      expect([answer.status, answer.json, answer.headers['accept-encoding']]).toEqual([
        415,
        { code: 'WM5022', message: expect.stringContaining(`"${coding}"`) },
        'identity',
      ]);
    }
    expect(await server.instances(id)).toEqual([]);
    // Senders of webhooks mean a character set by it.
    for (const coding of ['identity', 'UTF-8', 'utf8', 'identity, iso-8859-1']) {
      const plain = { 'Content-Encoding': coding, 'Content-Type': 'text/plain' };
      expect((await server.call('POST', `/workflows/${path}`, { body: text, headers: plain })).status).toBe(200);
    }
  });

  it('takes the body of a request once: one that a parser has read is written again each time', async () => {
    await publishEcho(server, 'once');
    const taken = jest.spyOn(AdapterExchange.prototype, 'body');
    await server.call('POST', '/workflows/once', json('{"a":1}'));
    await server.call('POST', '/workflows/once');
    expect(taken).toHaveBeenCalledTimes(2);
    taken.mockRestore();
  });

  it('refuses a form of too many fields with 400', async () => {
    await publishEcho(server, 'many-fields');
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const body = Array.from({ length: 10_001 }, (_, n) => `f${n}=1`).join('&');
    const answer = await server.call('POST', '/workflows/many-fields', { body, headers: form });
    expect([answer.status, answer.json]).toEqual([400, expect.objectContaining({ code: 'WM5006' })]);
  });

  it('reads JSON, forms, text and XML', async () => {
    await publishEcho(server, 'echo');
    const post = async (body: string, type: string, chunked = false) =>
      (await server.call('POST', '/workflows/echo', { body, chunked, headers: { 'Content-Type': type } }))
        .json as unknown;
    expect(await post('{"a":1,"b":[1,"x"],"c":null}', 'application/json')).toEqual({ a: 1, b: [1, 'x'], c: null });
    expect(await post('[1,2]', 'application/json; charset=utf-8', true)).toEqual([1, 2]);
    expect(await post('a=1&b=2&b=3', 'application/x-www-form-urlencoded')).toEqual({ a: '1', b: ['2', '3'] });
    const text = async (body: string, type: string) =>
      (await server.call('POST', '/workflows/echo', { body, headers: { 'Content-Type': type } })).text;
    expect(await text('hello', 'text/plain')).toBe('hello');
    expect(await text('<a>1</a>', 'application/xml')).toBe('<a>1</a>');
  });

  it('treats a missing body as null', async () => {
    await publishEcho(server, 'empty');
    expect((await server.call('POST', '/workflows/empty', json(''))).text).toBe('');
    expect((await server.call('POST', '/workflows/empty')).text).toBe('');
    expect(
      (await server.call('POST', '/workflows/empty', { headers: { 'Content-Type': 'application/json' } })).text,
    ).toBe('');
  });

  it('answers malformed JSON itself and makes no instance', async () => {
    const id = await publishEcho(server, 'malformed');
    const r = await server.call('POST', '/workflows/malformed', json('{ nope'));
    expect([r.status, r.headers['content-type']]).toEqual([400, 'application/json; charset=utf-8']);
    expect(r.json).toEqual({
      code: 'WM5006',
      message:
        "'n' is an invalid start of a property name. Expected a '\"'. Path: $ | LineNumber: 0 | BytePositionInLine: 2.",
      path: '$',
      lineNumber: 0,
    });
    expect((await server.call('POST', '/workflows/malformed', json('  '))).status).toBe(400);
    expect(await server.instances(id)).toHaveLength(0);
  });

  it('does not parse JSON for a text variable', async () => {
    await publishEcho(server, 'as-text', {}, 'String');
    expect((await server.call('POST', '/workflows/as-text', json('{ nope'))).text).toBe('{ nope');
  });

  it.each([false, true])('keeps the size limit (chunked: %s)', async (chunked) => {
    await publishEcho(server, `limit-${chunked}`, { requestSizeLimit: lit(8, 'Int64') });
    const send = (body: string) =>
      server.call('POST', `/workflows/limit-${chunked}`, {
        body,
        chunked,
        headers: { 'Content-Type': 'text/plain' },
      });
    const big = await send('0123456789');
    expect([big.status, big.json.code]).toEqual([413, 'WM5067']);
    expect(big.json.message).toBe('The maximum request size allowed is 8 bytes.');
    expect(big.json.hint).toMatch(/'requestSizeLimit'.*'http\.bodyBytes'/);
    expect((await send('12345678')).text).toBe('12345678');
  });

  it('has a limit of its own, well above that of the adapter', async () => {
    await publishEcho(server, 'large');
    const body = JSON.stringify('x'.repeat(500_000));
    expect((await server.call('POST', '/workflows/large', json(body))).text).toHaveLength(500_000);
    expect((await server.call('POST', '/workflows/large', json(`"${'x'.repeat(1_000_001)}"`))).status).toBe(413);
  });

  it('parses uploads and checks them', async () => {
    const rules = {
      fileSizeLimit: lit(10, 'Int64'),
      allowedFileExtensions: obj(['.txt']),
      allowedMimeTypes: obj(['text/plain']),
    };
    const id = await server.publish(
      [
        endpoint('In', 'upload', {
          methods: ['POST'],
          outputs: { files: 'Files', parsedContent: 'Fields' },
          ...rules,
        }),
        show('Files'),
        respond('B', ref('Fields'), { contentType: lit('application/json') }),
      ],
      [variable('Files'), variable('Fields')],
    );
    const send = (filename: string, type: string, data: string) =>
      server.call(
        'POST',
        '/workflows/upload',
        multipart([
          { name: 'title', data: 't' },
          { name: 'f', filename, type, data },
        ]),
      );
    const ok = await send('a.TXT', 'text/plain', 'hello');
    expect(ok.status).toBe(200);
    expect(ok.text).toContain('"filename":"a.TXT"');
    expect(ok.text).toContain('{"title":"t"}');
    const message = async (r: Promise<{ status: number; json: any }>) => [(await r).status, (await r).json.message];
    expect(await message(send('a.txt', 'text/plain', 'x'.repeat(11)))).toEqual([
      413,
      expect.stringContaining('The maximum file size allowed is 10 bytes.'),
    ]);
    expect(await message(send('a.exe', 'text/plain', 'x'))).toEqual([
      415,
      'Only the following file extensions are allowed: .txt',
    ]);
    expect(await message(send('a.txt', 'image/png', 'x'))).toEqual([
      415,
      'Only the following MIME types are allowed: text/plain',
    ]);
    const instances = await server.instances(id);
    expect(instances).toHaveLength(1);
    // The journal would otherwise carry every byte of an upload.
    const records = await server.persistence.journal.readRecords(instances[0]!.id);
    const kept = records.find((record) => record.activityId === 'In')?.outputs ?? {};
    const left = '(not serializable)';
    expect(kept).toMatchObject({ ParsedContent: { title: 't' }, File: left, Files: left, Result: left });
    // An input for a file in which none was chosen.
    const none = await send('', 'application/octet-stream', '');
    expect([none.status, none.text]).toEqual([200, expect.stringMatching(/^(null|\[\])?{"title":"t","f":""}$/)]);
  });

  it('lets the workflow handle rejections that it exposes as outcomes', async () => {
    const definition = {
      root: act('Elsa.Flowchart', 'Flow', {
        activities: [
          endpoint('In', 'exposed', {
            methods: ['POST'],
            requestSizeLimit: lit(3, 'Int64'),
            exposeRequestTooLargeOutcome: true,
          }),
          respond('Big', 'too big', { statusCode: lit('RequestEntityTooLarge', 'HttpStatusCode') }),
          respond('Fine', 'fine'),
        ],
        connections: [
          { source: { activity: 'In', port: 'Request too large' }, target: { activity: 'Big' } },
          { source: { activity: 'In', port: 'Done' }, target: { activity: 'Fine' } },
        ],
      }),
    };
    await server.publish([], [], definition);
    const send = (body: string) =>
      server.call('POST', '/workflows/exposed', { body, headers: { 'Content-Type': 'text/plain' } });
    const big = await send('0123');
    expect([big.status, big.text]).toEqual([413, 'too big']);
    expect((await send('012')).text).toBe('fine');
  });
});
