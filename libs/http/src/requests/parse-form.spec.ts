import { describe, expect, it } from '@jest/globals';
import { ContentSyntaxError } from './parse-content.js';
import { multipartParser, parseForm } from './parse-form.js';

const TYPE = 'multipart/form-data; boundary=x';
const disposition = 'Content-Disposition: form-data; name="a"; filename="b"';
const fails = (): never => {
  throw new Error('disk full');
};

/** Turns of the event loop that others have until the work is done. */
async function turnsOf<T>(work: () => T | Promise<T>): Promise<{ result: T; turns: number }> {
  let turns = 0;
  const count = (): void => void (turns++, (next = setImmediate(count)));
  let next = setImmediate(count);
  const result = await work();
  clearImmediate(next);
  return { result, turns };
}

describe('an encoded form', () => {
  const bytes = Buffer.concat([
    Buffer.from('a=1&text='),
    Buffer.alloc(1_500_000, Buffer.from([0x81, 0x30, 0xd8, 0x41])),
    Buffer.from('&b=2'),
  ]);

  it.each(['gb18030', 'iso-2022-jp', 'big5', 'euc-kr', 'windows-1252', 'utf-8'])(
    'a long one in %s is decoded in turns, as the standard does it',
    async (charset) => {
      const type = `application/x-www-form-urlencoded; charset=${charset}`;
      const { result, turns } = await turnsOf(() => parseForm(bytes, type));
      const text = new TextDecoder(charset).decode(bytes).slice('a=1&text='.length, -'&b=2'.length);
      expect(result.fields).toEqual({ a: '1', text, b: '2' });
      expect(turns).toBeGreaterThan(10);
    },
  );

  it.each([10, 100_000])('one in windows-1252 has its quotes and its euro, whatever its length: %j', async (length) => {
    const bytes = Buffer.concat([Buffer.from('a='), Buffer.alloc(length, 0x80), Buffer.from([0x93, 0xe9])]);
    for (const charset of ['windows-1252', 'iso-8859-1']) {
      const { fields } = await parseForm(bytes, `application/x-www-form-urlencoded; charset=${charset}`);
      expect(fields).toEqual({ a: `${'€'.repeat(length)}“é` });
    }
  });

  it.each([
    ['a byte order mark', `\ufeff?a=${'x'.repeat(70_000)}`],
    ['a long name', `${'é'.repeat(400_000)}=x&a=y`],
    ['several long fields', `a=${'é'.repeat(400_000)}&${'%C3%A9'.repeat(300_000)}&a=${'%FF'.repeat(300_000)}&=&&b`],
    ['a long field at its end', `a&b=${'+'.repeat(400_000)}`],
    ['nothing but a long field', '%E2%82%AC'.repeat(200_000)],
  ])('one with %s is read as the standard does it', async (_name, text) => {
    const bytes = Buffer.from(text);
    const { fields } = await parseForm(bytes, 'application/x-www-form-urlencoded');
    const params = new URLSearchParams(bytes.toString().replace(/^\ufeff/, ''));
    const names = [...new Set(params.keys())];
    const expected = names.map((name) => [name, params.getAll(name)]);
    expect(Object.entries(fields).map(([name, value]) => [name, [value].flat()])).toEqual(expected);
  });
});

describe('a form with too many control characters', () => {
  const controls = Buffer.alloc(600_000, 1);
  const field = (name: string) => [
    Buffer.from(`--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n`),
    controls,
    Buffer.from('\r\n'),
  ];
  const ENCODED = 'application/x-www-form-urlencoded';

  it.each<[string, Buffer, string]>([
    ['in one field', Buffer.concat([Buffer.from('a='), controls, controls]), ENCODED],
    ['escaped', Buffer.from(`a=${'%01'.repeat(1_000_001)}`), ENCODED],
    ['in several fields', Buffer.concat([Buffer.from('a='), controls, Buffer.from('&b='), controls]), ENCODED],
    ['in fields of several parts', Buffer.concat([...field('a'), ...field('b'), Buffer.from('--x--\r\n')]), TYPE],
  ])('is refused: %s', async (_name, body, type) => {
    await expect(async () => parseForm(body, type)).rejects.toMatchObject({ body: { code: 'WM5081' } });
  });

  it('is accepted with a million of them, and with line ends and tabs', async () => {
    const form = await parseForm(Buffer.from(`a=${'%01'.repeat(1_000_000)}&b=${'%0A%09'.repeat(10)}`), ENCODED);
    expect([(form.fields.a as string).length, form.fields.b]).toEqual([1_000_000, '\n\t'.repeat(10)]);
  });
});

describe('a multipart body', () => {
  it.each([
    ['a long part without a head', `--x\r\n\r\n${'L'.repeat(50_000)}\r\n--x--\r\n`],
    ['a head alone', `--x\r\n${disposition}`],
    ['no end', `--x\r\n${disposition}\r\n\r\nabc`],
    ['no part', 'abc'],
    [
      'a file without the name of its field',
      '--x\r\nContent-Disposition: form-data; filename="x.txt"\r\n\r\na\r\n--x--\r\n',
    ],
    ['a field without a name', '--x\r\nContent-Disposition: form-data\r\n\r\na\r\n--x--\r\n'],
  ])('a multipart body with %s is refused', async (_name, body) => {
    await expect(async () => parseForm(Buffer.from(body), TYPE)).rejects.toThrow(ContentSyntaxError);
  });

  it('names files without folders and control characters', async () => {
    const head = (name: string) => `--x\r\nContent-Disposition: form-data; name="a"; ${name}\r\n\r\nabc\r\n`;
    const names = ['filename="../a\x01b"', 'filename=".."'];
    const { files } = await parseForm(Buffer.from(`${names.map(head).join('')}--x--\r\n`), TYPE);
    expect(files.map(({ filename }) => filename)).toEqual(['ab', '']);
  });

  it('has an empty field where a form has an input for a file and none was chosen', async () => {
    const part = (filename: string) =>
      `--x\r\nContent-Disposition: form-data; name="doc"; ${filename}\r\nContent-Type: application/octet-stream\r\n\r\n\r\n`;
    expect(await parseForm(Buffer.from(`${part('filename=""')}--x--\r\n`), TYPE)).toEqual({
      fields: { doc: '' },
      files: [],
    });
    // An empty file is one.
    const { files } = await parseForm(Buffer.from(`${part('filename="a.txt"')}--x--\r\n`), TYPE);
    expect(files.map(({ filename, length }) => [filename, length])).toEqual([['a.txt', 0]]);
  });

  it('has no field of more than a megabyte, which is decoded at once', async () => {
    const body = (size: number) =>
      Buffer.from(`--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n${'v'.repeat(size)}\r\n--x--\r\n`);
    expect((await parseForm(body(1_000_000), TYPE)).fields.a).toHaveLength(1_000_000);
    await expect(async () => parseForm(body(1_000_001), TYPE)).rejects.toThrow(
      'A field of the form holds more than 1000000 bytes. Send long texts as files.',
    );
  });

  it('rejects with what a sink throws', async () => {
    for (const sink of [
      { write: fails, end: fails },
      { write: () => undefined, end: fails },
    ]) {
      const { feed, form } = multipartParser(TYPE, 100, () => sink);
      feed.end(`--x\r\n${disposition}\r\n\r\nabc\r\n--x--\r\n`);
      await expect(form).rejects.toThrow('disk full');
    }
    const { feed, form } = multipartParser(TYPE, 100, fails);
    feed.end(`--x\r\n${disposition}\r\n\r\nabc\r\n--x--\r\n`);
    await expect(form).rejects.toThrow('disk full');
  });

  it('brings large files as they are', async () => {
    const content = Buffer.alloc(3_000_000, 'content');
    const body = Buffer.concat([Buffer.from(`--x\r\n${disposition}\r\n\r\n`), content, Buffer.from('\r\n--x--\r\n')]);
    const { files } = await parseForm(body, TYPE);
    expect(files).toHaveLength(1);
    expect(Buffer.compare(files[0]!.bytes, content)).toBe(0);
  });
});
