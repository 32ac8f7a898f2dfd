import { endOfJsonString } from './json-string.js';

/** By the parser: the shortest part that it takes as a string. */
function parsedEnd(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1))
    try {
      if (typeof JSON.parse(text.slice(start, end + 1)) === 'string') return end;
    } catch {
      // An escaped mark.
    }
  return text.length;
}

describe('endOfJsonString', () => {
  it.each(['""', '"a"', '"\\""', '"\\\\"', '"\\\\\\""', '"a\\"b\\"c", "d"', '"\\"', '"', '"a', '"\\\\\\"\\\\"x"'])(
    'finds the end of %s',
    (text) => expect(endOfJsonString(text, 0)).toBe(parsedEnd(text, 0)),
  );

  it('finds the end of any mixture of marks and backslashes', () => {
    const chars = ['"', '\\', 'a'];
    for (let number = 0; number < 3 ** 8; number++) {
      const rest = Array.from({ length: 8 }, (_, i) => chars[Math.floor(number / 3 ** i) % 3]).join('');
      const end = endOfJsonString(`"${rest}`, 0);
      // `\a` ends no string, but is no JSON either.
      if (!/\\a/.test(rest)) expect([rest, end]).toEqual([rest, parsedEnd(`"${rest}`, 0)]);
    }
  });
});
