import { expect, it, test } from '@jest/globals';
import { findLastText, findText, replaceAllTexts, replaceFirstText, replaceLastText, splitText } from './find-text.js';

/** Few letters, so that parts are found, overlap and nearly match. */
function* cases(): Generator<[text: string, part: string]> {
  let seed = 7;
  const random = (below: number): number => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  const word = (length: number): string => Array.from({ length }, () => 'ab\u{1F600}'[random(4)] ?? 'a').join('');
  for (let i = 0; i < 800; i++) {
    const text = word(random(120)).repeat(1 + random(3));
    const from = random(text.length + 1);
    yield [text, random(2) ? text.slice(from, from + random(60)) : word(random(40))];
  }
  yield ['a'.repeat(200), 'a'.repeat(20)];
  yield ['a'.repeat(200), `b${'a'.repeat(50)}`];
  yield ['', ''];
  yield ['short', 'a part that is longer than the text'];
}

test('texts are found, split and replaced as by the methods of the language', () => {
  for (const [text, part] of cases()) {
    const from = text.length >> 1;
    expect({
      first: findText(text, part),
      next: findText(text, part, from),
      last: findLastText(text, part),
      split: splitText(text, part),
      one: replaceFirstText(text, part, '<>'),
      all: replaceAllTexts(text, part, '<>'),
    }).toEqual({
      first: text.indexOf(part),
      next: text.indexOf(part, from),
      last: text.lastIndexOf(part),
      split: text.split(part),
      one: text.replace(part, '<>'),
      all: text.replaceAll(part, '<>'),
    });
  }
});

it('inserts replacements literally, dollar signs included', () => {
  const part = 'a part of more than sixteen characters';
  expect(replaceFirstText(`x${part}${part}`, part, '$&$1')).toBe(`x$&$1${part}`);
  expect(replaceLastText(`x${part}${part}`, part, '$&$1')).toBe(`x${part}$&$1`);
  expect(replaceAllTexts('aba', 'a', '$&')).toBe('$&b$&');
});
