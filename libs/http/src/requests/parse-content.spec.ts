import { describe, expect, it } from '@jest/globals';
import { filenameOf, parseJson } from './parse-content.js';

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
