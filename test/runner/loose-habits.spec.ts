import { expect, it } from '@jest/globals';
import { looseOf } from '../../scripts/words/loose.mjs';

const isNo = looseOf(/(?<!\bthere )\bis\s+no\s(?!longer\b|more\b)/gi);

it.each([
  ['as it is', '/** A file is no folder. */'],
  ['over two lines of a comment', '/**\n   * A file is\n   * no folder.\n   */'],
  ['with a name in code between', '/** A file is `x.ts` no folder. */'],
  ['where its condition may not hold', '// there is no longer a file, is no folder'],
])('finds a phrase %s', (_, content) => expect(isNo.test(content)).toBe(true));

it('does not find it where its words are apart', () => expect(isNo.test('It is a file, no folder')).toBe(false));

it('leaves out conditions that have groups inside', () =>
  expect(looseOf(/\btak(e|es)\s+up\b(?!\s+(to|a)\b)/gi).test('takes up a lot')).toBe(true));

it('finds the beginning of a title anywhere in a file', () =>
  expect(looseOf(/^['"](?:W\d+: )?of\s[^,]*'$/g).test("describe('lists', () => it('of names', f))")).toBe(true));
