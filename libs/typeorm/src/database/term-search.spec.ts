import { describe, expect, it } from '@jest/globals';
import { containsTerm, TermSearch } from './term-search.js';

/** All texts of that length of two letters. */
const texts = (length: number): string[] =>
  Array.from({ length: 2 ** length }, (_, i) =>
    i.toString(2).padStart(length, '0').replaceAll('0', 'a').replaceAll('1', 'B'),
  );

describe('a search for a term', () => {
  it('a term is found where it is part of a text, whatever the case', () => {
    for (const text of texts(7))
      for (const term of [...texts(1), ...texts(3), ...texts(4)].map((one) => one.toLowerCase()))
        expect([text, term, new TermSearch(term).isIn(text)]).toEqual([text, term, text.toLowerCase().includes(term)]);
    expect(new TermSearch('žalias').isIn('ŽALIAS MIŠKAS')).toBe(true);
    // One letter, which is two in lower case.
    expect(new TermSearch('\u0130\u0130'.toLowerCase()).isIn('\u0130\u0130')).toBe(true);
    expect(new TermSearch('a'.repeat(10)).isIn('a'.repeat(9))).toBe(false);
  });

  it('columns without a text hold no term, and each statement may ask for another one', () => {
    const contains = containsTerm();
    expect([
      contains(null, 'a'),
      contains(7, '7'),
      contains('abc', 'bc'),
      contains('abc', 'x'),
      contains('xbc', 'x'),
    ]).toEqual([0, 0, 1, 0, 1]);
  });
});
