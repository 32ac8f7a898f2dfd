import { describe, expect, it } from '@jest/globals';
import { ContentSyntaxError, decodeInTurns, decodeText, filenameOf, parseJson } from './parse-content.js';

describe('the file name of a Content-Disposition', () => {
  it.each([
    [undefined, undefined],
    ['attachment', undefined],
    ['attachment; filename=""', undefined],
    ['attachment; filename=a.txt', 'a.txt'],
    ['attachment;filename = "a \\"b\\".txt"', 'a "b".txt'],
    ['attachment; filename="..\\\\..\\\\c/d.txt"', 'd.txt'],
    ["attachment; filename=plain.txt; filename*=UTF-8''%C3%A4.txt", 'ä.txt'],
    // What cannot be decoded gives way to the plain name.
    ["attachment; filename*=UTF-8''%E4%FF; filename=plain.txt", 'plain.txt'],
    ['attachment; notafilename=x.txt', undefined],
    ['attachment; filename=".."', undefined],
    ['attachment; filename=". ."', undefined],
    ["attachment; filename*=UTF-8''%2e%2e%2f%2e%2e%5cetc%2fa%00%0d%0ab", 'ab'],
  ])('%s', (header, name) => {
    expect(filenameOf(header)).toBe(name);
  });
});

it('JSON has no more different names than are read quickly', () => {
  const members = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`name${i}`, i]));
  const rows = Array.from({ length: 40_000 }, () => ({ name: 1, value: 2 }));
  expect(parseJson(JSON.stringify(rows))).toHaveLength(40_000);
  expect(Object.keys(parseJson(JSON.stringify(members(29_000))) as object)).toHaveLength(29_000);
  const refused = expect.objectContaining({ body: expect.objectContaining({ code: 'WM5006' }) }) as unknown as Error;
  expect(() => parseJson(JSON.stringify(members(40_000)))).toThrow(refused);
});

describe('long texts', () => {
  it.each([
    ['iso-2022-jp', Buffer.from('\u001b$B0!\u001b(B'.repeat(150_000), 'latin1')],
    ['utf-8', Buffer.from('aж€\u{1f600}'.repeat(120_000))],
    ['utf-16le', Buffer.from('ab'.repeat(300_000), 'utf16le')],
    ['no-such', Buffer.from(`\ufeff${'b'.repeat(1_000_000)}`)],
  ])('long texts in %s are decoded as short ones are', async (charset, bytes) => {
    const type = `text/plain; charset=${charset}`;
    expect((await decodeInTurns(bytes, type)) === decodeText(bytes, type)).toBe(true);
  });

  it('long texts are refused when they have too many control characters', async () => {
    await expect(decodeInTurns(Buffer.alloc(1_100_000), 'text/plain')).rejects.toMatchObject({
      body: { code: 'WM5081' },
    });
    // JSON escapes it as well. In ISO-2022-JP it switches between character sets, and does not become a character.
    await expect(decodeInTurns(Buffer.alloc(1_100_000, 27), 'text/plain')).rejects.toThrow(ContentSyntaxError);
    const wide = Buffer.alloc(2_200_000, Buffer.from([1, 0]));
    await expect(decodeInTurns(wide, 'text/plain; charset=utf-16le')).rejects.toThrow(ContentSyntaxError);
    const japanese = Buffer.from('\x1b$B$\x22\x1b(Bx'.repeat(600_000));
    expect((await decodeInTurns(japanese, 'text/plain; charset=iso-2022-jp'))?.length).toBe(1_200_000);
    expect(await decodeInTurns(Buffer.alloc(1_100_000), 'image/png')).toBeUndefined();
    expect(await decodeInTurns(Buffer.alloc(999), 'text/plain')).toBeUndefined();
  });
});
