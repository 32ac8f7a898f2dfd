import { expect, it } from '@jest/globals';
import { textInParts } from './text-in-parts.js';

const items = (count: number) => Array.from({ length: count }, (_, n) => ({ n, text: `"${n}"`, none: undefined }));

it.each([
  ['nothing', {}],
  ['members without a value', { a: undefined, b: null, c: [undefined], d: { e: undefined } }],
  ['long lists', { json: { first: items(500), second: items(501), third: [], of: { more: items(1_203) } } }],
  ['notes', { json: { list: items(1_000) }, meta: { values: { 'list.0': ['Date'] }, v: 1 } }],
  ['names that need quotes', { 'a"b': items(600), ä: 1 }],
])('the text of an object with %s is that of JSON.stringify', async (_, value) => {
  let pauses = 0;
  const pause = async () => void pauses++;
  expect(await textInParts(value, pause)).toBe(JSON.stringify(value));
});

it('the text of a long list has a pause after each part', async () => {
  let pauses = 0;
  await textInParts({ json: { list: items(1_203) } }, async () => void pauses++);
  expect(pauses).toBe(3);
});
