import type { IncomingMessage } from 'node:http';
import { PassThrough, Readable } from 'node:stream';
import { AdapterExchange } from './adapter-exchange.js';
import { HttpRequest } from './http-request.js';
import type { HttpFile } from './http-file.js';
import { RequestAbortedError } from '@waymark/runtime';
import { parseJson } from './parse-content.js';
import { type AcceptedBody, RequestBody } from './request-body.js';
import type { BodyRules } from './upload-rules.js';

const requestWith = (headers: Record<string, string>) =>
  new HttpRequest(
    { headers, rawHeaders: Object.entries(headers).flat(), method: 'POST' } as unknown as IncomingMessage,
    '/x',
    undefined,
  );

const limitsOf = (bytes: number) => ({ bytes, defaultBytes: bytes, values: 1000 });

function bodyOf(text: string | Buffer | Readable, headers: Record<string, string>, limit = 1_000_000) {
  const source = text instanceof Readable ? text : Readable.from(chunks(Buffer.from(text as string)));
  const length: Record<string, string> =
    text instanceof Readable
      ? { 'transfer-encoding': 'chunked' }
      : { 'content-length': String(Buffer.byteLength(text)) };
  return new RequestBody(requestWith({ ...length, ...headers }), source, limitsOf(limit));
}

/** Arrives in pieces of three bytes, as a slow network would deliver it. */
function* chunks(bytes: Buffer): Generator<Buffer> {
  for (let i = 0; i < bytes.length; i += 3) yield bytes.subarray(i, i + 3);
}

const read = (text: string | Buffer | Readable, type: string, rules: BodyRules = { contentType: 'Object' }) =>
  bodyOf(text, type ? { 'content-type': type } : {}).examine(rules);

describe('RequestBody', () => {
  it.each<[string, string, unknown]>([
    ['application/json', '{"a":[1,"ü"]}', { a: [1, 'ü'] }],
    ['application/problem+json', '"text"', 'text'],
    ['application/json', '\ufeff{"bom":true}', { bom: true }],
    ['application/xml', '<a/>', '<a/>'],
    ['application/xhtml+xml', '<a/>', '<a/>'],
    ['text/plain', 'hällo', 'hällo'],
    ['text/html; charset=utf-8', '<p>', '<p>'],
    ['application/x-www-form-urlencoded', 'a=1&b=x+y&b=%C3%BC', { a: '1', b: ['x y', 'ü'] }],
    [
      'application/x-www-form-urlencoded; charset=UTF-8',
      '__proto__=1',
      Object.defineProperty({}, '__proto__', { value: '1', enumerable: true }),
    ],
  ])('reads %s: %s', async (type, text, content) => {
    expect(await read(text, type)).toEqual({ content });
  });

  it('reads fields that middleware has parsed into objects by the names that they had', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': '9' };
    const body = { user: { name: 'Ann', roles: ['a', 'b'] }, tag: ['c', 'd'], n: '1' };
    const exchange = new AdapterExchange(
      { headers, rawHeaders: [], method: 'POST', url: '/', readableEnded: true, body },
      {},
    );
    expect(await exchange.body(limitsOf(1000)).examine({ contentType: 'Object' })).toEqual({
      content: { 'user[name]': 'Ann', 'user[roles]': ['a', 'b'], tag: ['c', 'd'], n: '1' },
    });
  });

  it('reads other charsets', async () => {
    expect(await read(Buffer.from('h\xe4llo', 'latin1'), 'text/plain; charset=iso-8859-1')).toEqual({
      content: 'hällo',
    });
  });

  it('makes a file of anything else', async () => {
    const { content } = (await bodyOf('abc', {
      'content-type': 'image/png',
      'content-disposition': 'attachment; filename="../a.png"',
    }).examine({})) as { content: HttpFile };
    expect(content).toMatchObject({ filename: 'a.png', contentType: 'image/png', length: 3 });
    expect(Buffer.from(content.bytes).toString()).toBe('abc');
    expect(((await read('abc', '')) as { content: HttpFile }).content).toMatchObject({
      filename: 'file.dat',
      contentType: 'application/octet-stream',
    });
  });

  it('gives text to receivers of text and to no others', async () => {
    expect(await read('{ bad', 'application/json', { contentType: 'String' })).toEqual({ content: '{ bad' });
    expect(await read('{"a":1}', 'application/json', {})).toEqual({ content: '{"a":1}' });
  });

  it.each([
    ['{"a":1,}', '$', 0, 7],
    ['{"a":\n{"b": nope}}', '$.a.b', 1, 6],
    ['[1,\n2,\n oops]', '$[2]', 2, 1],
    ['{"a" 1}', '$.a', 0, 5],
    ['[1 2]', '$[0]', 0, 3],
    ['{"a":1} x', '$', 0, 8],
    ['"unclosed', '$', 0, 9],
    ['   ', '$', 0, 3],
    ['{"a":01}', '$.a', 0, 6],
  ])('says where %s is not JSON', async (text, path, lineNumber, position) => {
    const { rejection } = await read(text, 'application/json');
    expect(rejection).toMatchObject({ status: 400, body: { path, lineNumber } });
    expect(rejection!.body.message).toMatch(
      new RegExp(`LineNumber: ${lineNumber} \\| BytePositionInLine: ${position}\\.$`),
    );
  });

  it.each([
    ['depth', '['.repeat(2000), false],
    ['values', `[${'0,'.repeat(300_000)}0]`, true],
  ])('names the option of the limit that is broken: %s', (_limit, text, isNamed) => {
    const refused = (): unknown => parseJson(text, { maxValues: 30_000, hint: ' See http.bodyValues.' });
    const message: unknown = isNamed ? expect.stringMatching(/bodyValues/) : expect.not.stringMatching(/bodyValues/);
    expect(refused).toThrow(expect.objectContaining({ body: { code: 'WM5006', message } }));
  });

  it('keeps the limit of the endpoint and that of the host', async () => {
    const message = async (body: RequestBody, rules: BodyRules) => (await body.examine(rules)).rejection?.body.message;
    expect(await message(bodyOf('0123456789', {}), { requestSizeLimit: 9 })).toContain(
      'The maximum request size allowed is 9 bytes.',
    );
    expect(
      await message(bodyOf(Readable.from(chunks(Buffer.from('0123456789'))), { 'content-type': 'text/plain' }), {
        requestSizeLimit: 9,
      }),
    ).toContain('The maximum request size allowed is 9 bytes.');
    expect(await message(bodyOf('0123456789', {}, 5), { requestSizeLimit: 9 })).toContain(
      'The maximum request size allowed is 5 bytes.',
    );
    expect(
      await message(bodyOf('0123456789', { 'content-type': 'text/plain' }), { requestSizeLimit: 10 }),
    ).toBeUndefined();
  });

  it('keeps the connection open for the answer when it stops reading', async () => {
    const source = new PassThrough();
    const examined = bodyOf(source, { 'content-type': 'text/plain' }).examine({ requestSizeLimit: 3 });
    source.write('0123');
    expect((await examined).rejection).toMatchObject({ status: 413, isUnread: true });
    expect(source.destroyed).toBe(false);
    source.write('more');
    source.end();
  });

  it('distinguishes a client that disconnected from one that sent an empty body', async () => {
    const source = new PassThrough();
    const examined = bodyOf(source, { 'content-type': 'text/plain' }).examine({});
    source.write('half');
    source.destroy();
    await expect(examined).rejects.toThrow(RequestAbortedError);
  });

  it('is null without a body, at once', () => {
    expect(
      new RequestBody(requestWith({ 'content-type': 'application/json' }), Readable.from([]), limitsOf(1)).examine({}),
    ).toEqual({ content: null });
    expect(new RequestBody(requestWith({ 'content-length': '5' }), undefined, limitsOf(1)).examine({})).toEqual({
      content: null,
    });
  });

  it('is read once and checked again by other rules', async () => {
    const body = bodyOf('{"a":1}', { 'content-type': 'application/json' });
    const first = await body.examine({ contentType: 'Object' });
    expect(body.examine({ contentType: 'Object' })).toBe(first);
    expect(await body.examine({ contentType: 'String' })).toEqual({ content: '{"a":1}' });
    expect((await body.examine({ requestSizeLimit: 2 })).rejection?.status).toBe(413);
  });

  describe('uploads', () => {
    const form = (...parts: [name: string, data: string, filename?: string, type?: string][]) => {
      const text = parts.map(
        ([name, data, filename, type]) =>
          `--B\r\nContent-Disposition: form-data; name="${name}"${filename === undefined ? '' : `; filename="${filename}"`}\r\n${type ? `Content-Type: ${type}\r\n` : ''}\r\n${data}\r\n`,
      );
      return `${text.join('')}--B--\r\n`;
    };
    const upload = (rules: BodyRules, ...parts: Parameters<typeof form>) =>
      read(form(...parts), 'multipart/form-data; boundary=B', rules);

    it('separates fields from files', async () => {
      const verdict = (await upload(
        {},
        ['a', '1'],
        ['f', 'one', 'ä.txt', 'text/plain'],
        ['a', '2'],
        ['f', '', 'empty.bin'],
      )) as { content: unknown; files: HttpFile[] };
      expect(verdict.content).toEqual({ a: ['1', '2'] });
      expect(
        verdict.files.map(({ name, filename, contentType, length }) => [name, filename, contentType, length]),
      ).toEqual([
        ['f', 'ä.txt', 'text/plain', 3],
        ['f', 'empty.bin', 'text/plain', 0],
      ]);
    });

    it('has no files without files', async () => {
      expect(await upload({}, ['a', '1'])).toEqual({ content: { a: '1' } });
    });

    it.each<[BodyRules, number, string]>([
      [{ fileSizeLimit: 2, allowedFileExtensions: ['.txt'] }, 413, 'The maximum file size allowed is 2 bytes.'],
      [
        { allowedFileExtensions: ['.txt', '.md'], blockedFileExtensions: ['.EXE'] },
        415,
        'Only the following file extensions are allowed: .txt, .md',
      ],
      [
        { blockedFileExtensions: ['.bat', '.EXE'], allowedMimeTypes: ['text/plain'] },
        415,
        'The following file extensions are not allowed: .bat, .EXE',
      ],
      [
        { allowedMimeTypes: ['text/plain', 'text/html'] },
        415,
        'Only the following MIME types are allowed: text/plain, text/html',
      ],
    ])('judged by %j', async (rules, status, message) => {
      const { rejection } = await upload(
        rules,
        ['f', 'good', 'x.txt', 'text/plain'],
        ['f', 'evil', 'x.exe', 'application/octet-stream'],
      );
      expect(rejection!.status).toBe(status);
      expect(rejection!.body).toMatchObject({
        code: status === 413 ? 'WM5067' : 'WM5068',
        message: expect.stringContaining(message),
      });
    });

    it.each(['evil.exe.', 'evil.exe ', 'evil.exe. . ', 'a\u202egpj.exe', 'evil.exe\u200f', 'EVIL.EXE...'])(
      'blocks an extension that Windows would find in %j',
      async (filename) => {
        const { rejection } = await upload({ blockedFileExtensions: ['.exe'] }, ['f', 'evil', filename, 'text/plain']);
        expect(rejection!.status).toBe(415);
      },
    );

    it.each([
      ['evil.exe::$DATA', 'evil.exe__$DATA'],
      ['evil.exe:a.pdf', 'evil.exe_a.pdf'],
      ['a report. 2.pdf', 'a report. 2.pdf'],
    ])('names %j so that it means the same on Windows: %j', async (filename, expected) => {
      const { files } = (await upload({}, ['f', 'x', filename, 'text/plain'])) as AcceptedBody;
      expect(files!.map((file) => file.filename)).toEqual([expected]);
    });

    it('refuses a body that is not multipart', async () => {
      expect((await read('nonsense', 'multipart/form-data; boundary=B')).rejection?.status).toBe(400);
      expect((await read('nonsense', 'multipart/form-data')).rejection?.status).toBe(400);
    });
  });
});
