import fc from 'fast-check';
import { matchesWildcards, WildcardPatterns } from './wildcards.js';

describe('wildcards', () => {
  it.each([
    ['WM5012', 'WM5012', true],
    ['WM5012', 'WM501', false],
    ['WM5012', 'WM*', true],
    ['WM5012', '*12', true],
    ['WM5012', 'W*5*2', true],
    ['WM5012', 'W*6*2', false],
    ['aba', 'ab*ba', false],
    ['abba', 'ab*ba', true],
    ['abcbc', 'a*bc*bc', true],
    ['abc', 'a*bc*bc', false],
    ['', '*', true],
    ['a\nb', 'a*b', true],
    ['a.c', 'a.c*', true],
    ['abc', 'a.c*', false],
    ['a', '', false],
  ])('%j is like %j: %s', (text, pattern, expected) => {
    expect(matchesWildcards(text, pattern)).toBe(expected);
  });

  it('wildcards are matched in time proportional to the text and the pattern', () => {
    const startedAt = process.cpuUsage();
    expect(matchesWildcards('a'.repeat(32_000), `${'*a'.repeat(20)}*b`)).toBe(false);
    expect(matchesWildcards('a'.repeat(32_000), `${'*a'.repeat(400)}*`)).toBe(true);
    expect(process.cpuUsage(startedAt).user).toBeLessThan(250_000);
  });

  it('wildcards of a list match what one of them matches', () => {
    const text = fc.stringMatching(/^[ab*.]{0,6}$/);
    fc.assert(
      fc.property(fc.array(text), fc.array(text), (texts, patterns) => {
        const expected = texts.some((one) => patterns.some((pattern) => matchesWildcards(one, pattern)));
        expect(new WildcardPatterns(patterns).matchSome(texts)).toBe(expected);
      }),
    );
    expect(new WildcardPatterns(['a'.repeat(1001)]).matchSome(['a'.repeat(1001)])).toBe(false);
  });
});
