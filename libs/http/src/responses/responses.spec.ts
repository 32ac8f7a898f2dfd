import { Readable } from 'node:stream';
import { unzipSync, strFromU8 } from 'fflate';
import { attachment } from './content-disposition.js';
import { BadRequestHeaderError, judgeDownload } from './conditional-request.js';
import { zipped } from './archive.js';
import { downloadsOf, type FetchFile } from './downloads.js';
import { HttpResponseWriter, type PreparedResponse, type ResponseTarget } from './http-response-writer.js';
import { STATUS_CODE_ITEMS, statusCodeOf } from './http-status.js';
import { NOT_SERIALIZABLE_CONTENT, renderContent } from './render-content.js';
import { toXml } from './to-xml.js';

const LIMITS = { maxArchiveFiles: 10, maxDownloadBytes: 1_000_000 };

class Target implements ResponseTarget {
  readonly sent: PreparedResponse[] = [];
  get isSent(): boolean {
    return this.sent.length > 0;
  }
  send(response: PreparedResponse): void {
    this.sent.push(response);
  }
}

function thrownBy(act: () => unknown): Error {
  try {
    act();
  } catch (error) {
    return error as Error;
  }
  throw new Error('Nothing was thrown.');
}

const text = async (body: PreparedResponse['body']) => {
  const parts: Uint8Array[] = [];
  if (typeof body === 'string' || body instanceof Uint8Array) parts.push(Buffer.from(body as Uint8Array));
  else if (body) for await (const chunk of body) parts.push(chunk as Uint8Array);
  return Buffer.concat(parts).toString();
};

describe('content', () => {
  const cyclic: Record<string, unknown> = {};
  cyclic.self = cyclic;

  it.each<[unknown, string | undefined, string, string]>([
    ['text', undefined, 'text/plain', 'text'],
    ['', undefined, 'text/plain', ''],
    [{ a: 1, b: null }, undefined, 'application/json', '{"a":1,"b":null}'],
    [5, undefined, 'application/json', '5'],
    [true, '  ', 'application/json', 'true'],
    ['{"a":1}', 'application/json', 'application/json', '{"a":1}'],
    [{ a: 1 }, 'application/json; charset=utf-8', 'application/json; charset=utf-8', '{"a":1}'],
    [{ a: 1 }, 'text/html', 'text/html', '{"a":1}'],
    [5, 'text/plain', 'text/plain', '5'],
    [true, 'text/plain', 'text/plain', 'True'],
    [false, 'text/html', 'text/html', 'False'],
    [true, undefined, 'application/json', 'true'],
    [new Uint8Array([104, 105]), undefined, 'application/octet-stream', 'hi'],
    [new Uint8Array([104, 105]), 'text/plain', 'text/plain', 'hi'],
    [
      { filename: 'a.png', contentType: 'image/png', length: 2, bytes: new Uint8Array([104, 105]) },
      undefined,
      'image/png',
      'hi',
    ],
    [
      { a: 1, b: ['x y', 'ü'], c: null },
      'application/x-www-form-urlencoded',
      'application/x-www-form-urlencoded',
      'a=1&b=x+y&b=%C3%BC',
    ],
    [
      { at: new Date(0), bytes: new Uint8Array([1, 2, 3]), site: new URL('https://a/b'), in: { at: new Date(0) } },
      'application/x-www-form-urlencoded',
      'application/x-www-form-urlencoded',
      'at=1970-01-01T00%3A00%3A00.000Z&bytes=AQID&site=https%3A%2F%2Fa%2Fb&in=%7B%22at%22%3A%221970-01-01T00%3A00%3A00.000Z%22%7D',
    ],
    [new Map([['a', 1]]), 'application/x-www-form-urlencoded', 'application/x-www-form-urlencoded', 'a=1'],
    ['{"a":1}', 'application/x-www-form-urlencoded', 'application/x-www-form-urlencoded', 'a=1'],
    ['a=1', 'application/x-www-form-urlencoded', 'application/x-www-form-urlencoded', 'a=1'],
    [new Map([['a', 1n]]), undefined, 'application/json', '{"a":1}'],
    [
      { bytes: Buffer.from('hi'), when: new Date(0) },
      undefined,
      'application/json',
      '{"bytes":"aGk=","when":"1970-01-01T00:00:00.000Z"}',
    ],
    [cyclic, undefined, 'application/json', NOT_SERIALIZABLE_CONTENT],
    [() => 1, undefined, 'application/json', NOT_SERIALIZABLE_CONTENT],
    ['<a/>', 'application/xml', 'application/xml', '<a/>'],
    [
      { order: { line: [1, 2], note: 'a<b' } },
      'text/xml',
      'text/xml',
      '<?xml version="1.0" encoding="utf-8"?><order><line>1</line><line>2</line><note>a&lt;b</note></order>',
    ],
  ])('%p as %p', async (content, type, expectedType, expected) => {
    const rendered = renderContent(content, type);
    expect([rendered.contentType, await text(rendered.body)]).toEqual([expectedType, expected]);
  });

  it('content that is a stream stays a stream', async () => {
    const stream = Readable.from([Buffer.from('a'), Buffer.from('b')]);
    expect(renderContent(stream, undefined).body).toBe(stream);
  });

  it('XML of anything is well-formed', () => {
    expect(toXml([1, { 'no name': null }])).toBe(
      '<?xml version="1.0" encoding="utf-8"?><root><item>1</item><item><item name="no name" /></item></root>',
    );
  });
});

describe('HttpResponseWriter', () => {
  const response = (status: number, body?: string, headers: PreparedResponse['headers'] = []): PreparedResponse => ({
    status,
    headers,
    body: body === undefined ? undefined : Buffer.from(body),
  });

  it('appends further content, and keeps the first status and headers', async () => {
    const target = new Target();
    const writer = new HttpResponseWriter(target);
    expect(writer.write(response(201, undefined, [['X', '1']]))).toBe(true);
    expect(writer.write(response(202, 'a', [['x', '2']]))).toBe(true);
    expect(writer.write(response(500, 'b', [['Y', '1']]))).toBe(false);
    await writer.send();
    expect([target.sent[0]!.status, target.sent[0]!.headers, await text(target.sent[0]!.body)]).toEqual([
      202,
      [['x', '2']],
      'ab',
    ]);
    expect(writer.write(response(200, 'c'))).toBe(false);
    await writer.send();
    expect(target.sent).toHaveLength(1);
  });

  it.each<[string, PreparedResponse['headers']]>([
    ['20,000', Array.from({ length: 20_000 }, (_, i) => [`X-${i}`, '1'])],
    ['501 values', [['X', Array.from({ length: 501 }, () => '1')]]],
    ['one of 5 MB', [['X', 'x'.repeat(5_000_000)]]],
    ['a name of 5 MB', [['x'.repeat(5_000_000), '']]],
  ])('refuses headers that no client takes: %s', (_kind, headers) => {
    const writer = new HttpResponseWriter(new Target());
    const refused = thrownBy(() => writer.write(response(200, undefined, headers)));
    expect(refused).toMatchObject({ code: 'WM5013' });
    expect(refused.message.length).toBeLessThan(300);
    expect(writer.isWritten).toBe(false);
  });

  it('counts the headers of all writes, and those of one name once', () => {
    const writer = new HttpResponseWriter(new Target());
    const some = (from: number): PreparedResponse['headers'] =>
      Array.from({ length: 300 }, (_, i) => [`X-${from + i}`, '1']);
    writer.write(response(200, undefined, some(0)));
    writer.write(response(200, undefined, some(100)));
    expect(writer.prepared.headers).toHaveLength(400);
    expect(thrownBy(() => writer.write(response(500, undefined, some(400))))).toMatchObject({ code: 'WM5013' });
    expect([writer.prepared.status, writer.prepared.headers.length]).toEqual([200, 400]);
  });

  it('joins streams', async () => {
    const target = new Target();
    const writer = new HttpResponseWriter(target);
    writer.write({ status: 200, headers: [], body: Readable.from([Buffer.from('1')]) });
    writer.write({ status: 200, headers: [], body: Buffer.from('2') });
    await writer.send();
    expect(await text(target.sent[0]!.body)).toBe('12');
  });

  it.each([204, 304])('sends no content with %d', async (status) => {
    const target = new Target();
    const writer = new HttpResponseWriter(target);
    writer.write(response(status, 'x', [['Content-Type', 'text/plain']]));
    await writer.send();
    expect(target.sent).toEqual([{ status, headers: [], body: undefined }]);
  });

  it('is empty again after a reset', async () => {
    const target = new Target();
    const writer = new HttpResponseWriter(target);
    const stream = Readable.from(['x']);
    writer.write({ status: 500, headers: [['A', 'b']], body: stream });
    writer.reset();
    expect([writer.isWritten, stream.destroyed]).toEqual([false, true]);
    await writer.send();
    expect(target.sent).toEqual([{ status: 200, headers: [], body: undefined }]);
  });
});

it('a weak entity tag, which other bytes may have as well, lets no download continue', () => {
  const conditions = { range: 'bytes=2-', ifRange: 'W/"a"' };
  expect(judgeDownload(conditions, 10, 'W/"a"')).toEqual({ status: 200 });
  expect(judgeDownload({ ...conditions, ifRange: '"a"' }, 10, '"a"')).toEqual({ status: 206, start: 2, end: 9 });
});

describe('downloads', () => {
  it.each<[string | undefined, object]>([
    [undefined, { status: 200 }],
    ['bytes=0-0', { status: 206, start: 0, end: 0 }],
    ['bytes=2-', { status: 206, start: 2, end: 9 }],
    ['bytes=-3', { status: 206, start: 7, end: 9 }],
    ['bytes=-30', { status: 206, start: 0, end: 9 }],
    ['bytes=5-500', { status: 206, start: 5, end: 9 }],
    ['bytes=10-', { status: 416 }],
    ['bytes=-0', { status: 416 }],
    ['bytes=0-1,3-4', { status: 200 }],
  ])('range %s', (range, answer) => {
    expect(judgeDownload({ range }, 10, '"t"')).toEqual(answer);
  });

  it.each(['nonsense', 'bytes=', 'bytes=-', 'bytes=5-2', 'bytes=a-b'])('malformed range %s', (range) => {
    expect(() => judgeDownload({ range }, 10, '"t"')).toThrow(BadRequestHeaderError);
  });

  it('looks at entity tags', () => {
    const judge = (conditions: Parameters<typeof judgeDownload>[0]) => judgeDownload(conditions, 10, '"t"').status;
    expect(judge({ ifMatch: '"t", "u"' })).toBe(200);
    expect(judge({ ifMatch: '*' })).toBe(200);
    expect(judge({ ifMatch: '"u"' })).toBe(412);
    expect(judge({ ifNoneMatch: 'W/"t"' })).toBe(304);
    expect(judge({ range: 'bytes=1-2', ifRange: '"t"' })).toBe(206);
    expect(judge({ range: 'bytes=1-2', ifRange: '"old"' })).toBe(200);
    expect(() => judge({ ifMatch: 'nonsense' })).toThrow(BadRequestHeaderError);
  });

  it('finds an entity tag with a comma in a list', () => {
    const status = (conditions: Parameters<typeof judgeDownload>[0]) => judgeDownload(conditions, 10, '"v1,2"').status;
    expect([status({ ifMatch: '"x" , "v1,2"' }), status({ ifMatch: '"v1"' })]).toEqual([200, 412]);
    expect([status({ ifNoneMatch: 'W/"v1,2"' }), status({ ifNoneMatch: '"2"' })]).toEqual([304, 200]);
  });

  it('a weak entity tag does not match for If-Match, which asks for the same bytes', () => {
    expect(judgeDownload({ ifMatch: 'W/"t"' }, 10, '"t"').status).toBe(412);
    expect(judgeDownload({ ifMatch: 'W/"t"' }, 10, 'W/"t"').status).toBe(412);
    expect(judgeDownload({ ifMatch: '*' }, 10, 'W/"t"').status).toBe(200);
  });

  it.each(['items=0-5', 'lines = 1-'])('a range in units that are not bytes is left out of account: %s', (range) => {
    expect(judgeDownload({ range }, 10, '"t"')).toEqual({ status: 200 });
  });

  it.each([
    ['deep', `{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`],
    ['too much', `{"a":[${'[],'.repeat(1_000_000)}0]}`],
  ])('a form of JSON that is %s is refused', (_kind, text) => {
    const render = () => renderContent(text, 'application/x-www-form-urlencoded');
    expect(render).toThrow(expect.objectContaining({ code: 'WM1105' }));
  });

  it.each([
    ['table.csv', "attachment; filename=table.csv; filename*=UTF-8''table.csv"],
    ['my file.txt', 'attachment; filename="my file.txt"; filename*=UTF-8\'\'my%20file.txt'],
    ['ä"(1)\r\n.txt', 'attachment; filename="_\\"(1).txt"; filename*=UTF-8\'\'%C3%A4%22%281%29.txt'],
    ['../../etc/passwd', "attachment; filename=passwd; filename*=UTF-8''passwd"],
    ['..\\', "attachment; filename=file; filename*=UTF-8''file"],
    ['evil.exe. .', "attachment; filename=evil.exe; filename*=UTF-8''evil.exe"],
    ['evil.exe:a.pdf', "attachment; filename=evil.exe_a.pdf; filename*=UTF-8''evil.exe_a.pdf"],
    ['annexe\u202efdp.exe', "attachment; filename=annexefdp.exe; filename*=UTF-8''annexefdp.exe"],
    ['a\ud800b\udc00.txt', "attachment; filename=a_b_.txt; filename*=UTF-8''a%EF%BF%BDb%EF%BF%BD.txt"],
  ])('disposition of %s', (name, header) => {
    expect(attachment(name)).toBe(header);
  });

  const fetchFile = async (url: string) => ({ bytes: Buffer.from(`from ${url}`), contentType: 'text/csv' });

  it.each<[unknown, (string | undefined)[][]]>([
    [null, []],
    [[], []],
    ['text', [['file.txt', 'text/plain', 'text']]],
    [new Uint8Array([97]), [['file.bin', 'application/octet-stream', 'a']]],
    ['https://example.org/a/b.csv?x', [['b.csv', 'text/csv', 'from https://example.org/a/b.csv?x']]],
    [
      'https://example.org/annual%20report.pdf',
      [['annual report.pdf', 'text/csv', 'from https://example.org/annual%20report.pdf']],
    ],
    ['https://example.org/100%.pdf', [['100%.pdf', 'text/csv', 'from https://example.org/100%.pdf']]],
    ['https://example.org/a/..%2f..%2fb.pdf', [['b.pdf', 'text/csv', 'from https://example.org/a/..%2f..%2fb.pdf']]],
    [new URL('https://example.org/'), [['file.bin', 'text/csv', 'from https://example.org/']]],
    [Readable.from(['x', 'y']), [['file.bin', 'application/octet-stream', 'xy']]],
    [{ content: 'x', filename: 'n.md' }, [['n.md', 'text/plain', 'x']]],
    [{ a: 1 }, [['file.json', 'application/json', '{"a":1}']]],
    [
      ['a', null, 'b'],
      [
        ['file.txt', 'text/plain', 'a'],
        ['file.txt', 'text/plain', 'b'],
      ],
    ],
  ])('files of %p', async (content, expected) => {
    const files = await downloadsOf(content, fetchFile, LIMITS);
    expect(files.map((f) => [f.filename, f.contentType, Buffer.from(f.bytes).toString()])).toEqual(expected);
  });

  it('files stay inside of their archive, and one named __proto__ is one of them', async () => {
    const names = ['../../a.txt', '/b.txt', 'C:\\c.txt', 'in/d.txt', '__proto__', '..', 'in/../d.txt'];
    const archive = await zipped(
      names.map((filename) => ({ filename, bytes: Buffer.from('x') })),
      undefined,
    );
    expect(Object.keys(unzipSync(archive.bytes))).toEqual([
      'a.txt',
      'b.txt',
      'c.txt',
      'in/d.txt',
      'proto',
      'file',
      'in/d-1.txt',
    ]);
  });

  it('files of one name stay in their folder, and beside those whose names differ by case', async () => {
    const names = ['v1.2/readme', 'v1.2/readme', 'a.txt', 'A.TXT', 'a.txt', '.env', '.env', 'in/.env', 'in/.env'];
    const { bytes } = await zipped(
      names.map((filename) => ({ filename, bytes: Buffer.from('x') })),
      undefined,
    );
    expect(Object.keys(unzipSync(bytes))).toEqual([
      'v1.2/readme',
      'v1.2/readme-1',
      'a.txt',
      // The systems of most readers would write one over the other.
      'A-1.TXT',
      'a-2.txt',
      '.env',
      '.env-1',
      'in/.env',
      'in/.env-1',
    ]);
  });

  it('fetches no file when there are more than an archive may have', async () => {
    const refused = downloadsOf(['https://example.org/a', null, 'b', 'c'], () => Promise.reject(new Error('fetched')), {
      ...LIMITS,
      maxArchiveFiles: 2,
    });
    await expect(refused).rejects.toMatchObject({
      code: 'WM5016',
      message: expect.stringContaining('maxArchiveFiles'),
    });
  });

  it('holds no more at the same time than an archive may have', async () => {
    let fetched = 0;
    const fetchTen: FetchFile = () => {
      fetched++;
      return Promise.resolve({ bytes: Buffer.alloc(10) });
    };
    const urls = Array.from({ length: 9 }, (_, n) => `https://example.org/${n}`);
    const limits = { ...LIMITS, maxDownloadBytes: 30 };
    expect(await downloadsOf(urls.slice(0, 3), fetchTen, limits)).toHaveLength(3);
    fetched = 0;
    await expect(downloadsOf(urls, fetchTen, limits)).rejects.toMatchObject({
      code: 'WM5016',
      message: expect.stringContaining('maxDownloadBytes'),
    });
    expect(fetched).toBe(4);
    // The same file many times as well.
    const file = { filename: 'a', content: Buffer.alloc(10) };
    await expect(downloadsOf([file, file, file, file], fetchTen, limits)).rejects.toMatchObject({ code: 'WM5016' });
  });

  it('other requests have their turns while files are compressed', async () => {
    const words = Array.from({ length: 60_000 }, (_, n) => ((n * 2_654_435_761) % 4_294_967_296).toString(36)).join('');
    const bytes = Buffer.from(words);
    let turns = 0;
    let next = setImmediate(function turn() {
      turns++;
      next = setImmediate(turn);
    });
    const { bytes: archive } = await zipped(
      [
        { filename: 'a', bytes },
        { filename: 'empty', bytes: Buffer.alloc(0) },
      ],
      undefined,
    );
    clearImmediate(next);
    // Those that the slices give are one for each file.
    expect(turns).toBeGreaterThan(20);
    const files = unzipSync(archive);
    expect([Buffer.compare(files.a!, bytes), files.empty!.length]).toEqual([0, 0]);
  });

  it('the same files give the same archive', async () => {
    const files = await downloadsOf(['a', 'b'], fetchFile, LIMITS);
    const [one, two] = [await zipped(files, undefined), await zipped(files, undefined)];
    expect(Buffer.compare(Buffer.from(one.bytes), Buffer.from(two.bytes))).toBe(0);
    expect([one.filename, one.contentType]).toEqual(['download.zip', 'application/zip']);
    const entries = unzipSync(one.bytes);
    expect(Object.entries(entries).map(([name, bytes]) => [name, strFromU8(bytes)])).toEqual([
      ['file.txt', 'a'],
      ['file-1.txt', 'b'],
    ]);
  });
});

describe('status codes', () => {
  it.each([
    [undefined, 200],
    ['OK', 200],
    ['Created', 201],
    ['Ambiguous', 300],
    [418, 418],
    ['299', 299],
  ])('%p', (given, code) => {
    expect(statusCodeOf(given)).toBe(code);
  });

  it.each(['Continue', 'Nonsense', 100, 1000, 200.5])('refuses %p', (given) => {
    expect(() => statusCodeOf(given)).toThrow(RangeError);
  });

  it('status codes are offered under their usual names', () => {
    expect(STATUS_CODE_ITEMS.filter((item) => item.value === 'MultipleChoices')).toHaveLength(2);
  });
});
