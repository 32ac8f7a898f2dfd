import { describe, expect, it } from '@jest/globals';
import { ContentSyntaxError } from './parse-content.js';
import { multipartParser, parseForm } from './parse-form.js';

const TYPE = 'multipart/form-data; boundary=x';
const disposition = 'Content-Disposition: form-data; name="a"; filename="b"';
const fails = (): never => {
  throw new Error('disk full');
};

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
