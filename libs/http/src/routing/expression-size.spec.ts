import fc from 'fast-check';
import { RE2JS } from 're2js';
import { amountOf } from '../../../../test/support/depth.js';
import { boundProgramSize, countWideClasses } from './expression-size.js';

const sizeOf = (source: string): number | undefined => {
  try {
    return RE2JS.compile(source, RE2JS.CASE_INSENSITIVE).programSize();
  } catch {
    return undefined;
  }
};

describe('size of regular expressions', () => {
  it.each([
    '',
    'abc',
    '(a{9}){9}',
    '((a{9}){9}){9}',
    '(?:a|b){0,50}',
    '[)]{20}(a[(]){20}',
    '([]a)]{20}){20}',
    '([^]a)]{20}){20}',
    '([[:alpha:])]{20}){20}',
    '(\\)a{20}){20}',
    '(\\Q)\\Ea{20}){20}',
    '(\\x{29}{20}){20}',
    '(\\p{Lu}{20}){20}',
    '\\Qab{9}\\E{9}',
    '(?i:k{30}){30}',
    '(?P<name>a{20}){20}',
    '(a*){20,}',
    'a{0,}',
    'a{0}',
    '||||',
    'a{0,7}|',
    '(a{20}b)\\Q\\E{20}',
    '(a{20}b)(?i){20}',
    '(a{20}b)(?i-s){20}',
    '[:-[:alpha:](a{20}){20}[:alpha:]',
    '[\\d--[:alpha:](a{20}){20}[:alpha:]',
    '[]-[:alpha:](a{20}){20}[:alpha:]',
    '[a-\\](a{20}){20}[)]]',
    '(|){100}',
    '(a||b){100}',
    '😀{20}',
    '[^]\\])]{20}',
    '([\\Q)]a{20}){20}',
  ])('size of regular expressions of %s is not larger than its bound', (source) => {
    expect(boundProgramSize(source)).toBeGreaterThanOrEqual(sizeOf(source) ?? 0);
  });

  it('size of regular expressions of random expressions is not larger than its bound', () => {
    const token = fc.constantFrom(
      ...'a b ( ) (?: | * + ? [ ] [^ ] ^ $ . \\b - {2} {9} {0,7} {3,} {,3} {2 \\Q \\E \\ \\\\ [: :] [:alpha:] \\x{41} \\pL \\p{Lu}'.split(
        ' ',
      ),
      '(?i)',
      '(?P<n>',
      ')){9}',
      '[)]',
      '){20}',
      '\\)',
      '\\(',
      '😀',
    );
    fc.assert(
      fc.property(fc.array(token, { maxLength: 14 }), (tokens) => {
        const source = tokens.join('');
        expect(boundProgramSize(source)).toBeGreaterThanOrEqual(sizeOf(source) ?? 0);
      }),
      { numRuns: amountOf(5000) },
    );
  });

  it.each([
    ['^[a-z]{3}-[0-9]{4}$', 25],
    ['^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$', 60],
    ['^.{0,255}$', 520],
  ])('is bounded tightly for %s', (source, most) => {
    expect(boundProgramSize(source)).toBeLessThanOrEqual(most);
  });

  it('counts ranges and classes that take long to compile', () => {
    expect(countWideClasses('[b-я][!-\\x{ffff}]\\pL\\P{Lu}')).toBe(4);
    expect(countWideClasses('[a-z-9]я-a')).toBe(0);
  });
});
