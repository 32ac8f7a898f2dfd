import { describe, expect, it } from '@jest/globals';
import { requireStorableText } from './storable-text.js';

const problemOf = (text: string, max?: number): string | undefined => {
  try {
    requireStorableText('name', text, max);
    return undefined;
  } catch (error) {
    expect(error).toMatchObject({ code: 'WM1103', what: 'name' });
    return (error as Error).message;
  }
};

describe('requireStorableText', () => {
  it.each([
    ['', 3],
    ['abc', 3],
    ['🚀🚀🚀', 3],
    ['naïve 漢字 \n \u2028 \uffff \u0001', 700],
    ['x'.repeat(700), undefined],
    ['漢'.repeat(700), undefined],
    ['🚀'.repeat(525), undefined],
    ['🚀'.repeat(255), 255],
  ])('accepts %j', (text, max) => expect(problemOf(text, max)).toBeUndefined());

  it.each([
    ['abcd', /4 characters, and 3 is the limit/],
    ['🚀🚀🚀🚀', /4 characters/],
    ['a\0', /U\+0000/],
    ['\ud800', /half of a surrogate pair/],
    ['\udc00a', /half of a surrogate pair/],
  ])('refuses %j', (text, message) => expect(problemOf(text, 3)).toMatch(message));

  it('refuses characters of four bytes that no index of PostgreSQL holds', () =>
    expect(problemOf('🚀'.repeat(526))).toMatch(/2104 bytes in UTF-8, and 2100 is the limit/));

  it('accepts null and undefined', () => {
    expect(() => requireStorableText('name', undefined)).not.toThrow();
    expect(() => requireStorableText('name', null)).not.toThrow();
  });
});
