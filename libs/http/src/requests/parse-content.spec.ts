import { describe, expect, it } from '@jest/globals';
import { filenameOf } from './parse-content.js';

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
