import { shownLines, writtenLines } from './line-ends.js';

describe('ends of lines of a script', () => {
  it('ends of lines stay as they were when a script is only shown, and when it is edited', () => {
    const before = 'const a = 1;\r\nreturn a;';
    expect(shownLines(before)).toBe('const a = 1;\nreturn a;');
    expect(writtenLines(shownLines(before), before)).toBe(before);
    expect(writtenLines('const a = 1;\n\nreturn a;', before)).toBe('const a = 1;\r\n\r\nreturn a;');
    expect(writtenLines('a\nb', 'a')).toBe('a\nb');
  });
});
