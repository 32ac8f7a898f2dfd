import { describe, expect, it } from '@jest/globals';
import { loopItems } from '../control-flow/loop-items.js';
import { withoutTypeMarkers } from '../definitions/type-markers.js';
import { builtinExpressions } from '../expressions/builtin-expressions.js';
import type { ExpressionScope } from '../expressions/expression-scope.js';
import { convertValue } from './convert-value.js';
import { parseJsonText, parseJsonTextInTurns } from './json-text.js';
import { stripMarkers } from './polymorphic-json.js';
import { createDefaultTypeRegistry } from './default-types.js';

const types = createDefaultTypeRegistry();
const scope = {} as ExpressionScope;
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

const evaluate = (type: string, value: string): unknown =>
  builtinExpressions.find((handler) => handler.descriptor.type === type)!.compile({ type, value })(scope);

const READERS: [string, (text: string) => unknown][] = [
  ['the reader', (text) => parseJsonText(text)],
  ['a Json expression', (text) => evaluate('Json', text)],
  ['an Object expression', (text) => evaluate('Object', text)],
  ['an island of a definition', (text) => withoutTypeMarkers({ _type: 'JsonObject', _island: text }, false)],
  ['an island of a state', (text) => stripMarkers({ _island: text })],
  ['the items of a loop', (text) => loopItems(text, 'a')],
  ['text for a list', (text) => convertValue(text, types.resolve('List<Object>')!)],
  ['text for JSON', (text) => convertValue(text, types.resolve('JsonNode')!)],
];

it('refuses strings without anything in between before their names are counted', () => {
  const names = Array.from({ length: 2000 }, (_, n) => `"n${n}":1`).join(',');
  for (const rest of ['""""', '"a""b"'])
    expect(() => parseJsonText(`{${names},"x":${rest}}`, { maxNames: 10 })).toThrow('The text is not JSON');
});

it('refuses more strings than values and their names, whatever stands in between', () => {
  const names = Array.from({ length: 2000 }, (_, n) => `"n${n}":"${n}"`).join(',');
  for (const rest of ['"" '.repeat(3000), '"":'.repeat(3000)])
    expect(() => parseJsonText(`{${names},"x":${rest}}`, { maxNames: 10 })).toThrow('The text is not JSON');
  expect(() => parseJsonText(`{${names},"x":"y"}`, { maxNames: 10 })).toThrow('more than 10 names');
  expect(parseJsonText(`[{${names},"x":"y"},"z"]`)).toHaveProperty('0.x', 'y');
});

describe.each(READERS)('JSON text from outside: %s', (_name, read) => {
  it('reads what is within the limits, also again', () => {
    for (let turn = 0; turn < 2; turn++) expect(read('[1,[2]]')).toEqual([1, [2]]);
    expect(read(nested(1000))).toHaveLength(1);
  });

  it.each([
    ['deep', nested(20_000)],
    ['deep and unfinished', '['.repeat(20_000)],
    ['too much', `[${'[],'.repeat(1_000_000)}0]`],
  ])('refuses what is %s as too large', (_kind, text) => {
    for (let turn = 0; turn < 2; turn++) expect(() => read(text)).toThrow(expect.objectContaining({ code: 'WM1105' }));
  });
});

describe.each(['Json', 'Object'])('text of a %s expression', (type) => {
  it('says where it goes wrong', () => {
    expect(() => evaluate(type, '{"a":[1,}')).toThrow(expect.objectContaining({ code: 'WM1104' }));
  });
});

describe.each(READERS.slice(5))('text that a burst converts: %s', (_name, read) => {
  it.each([
    ['values', `[${'[],'.repeat(250_000)}0]`],
    ['names', `[{${Array.from({ length: 31_000 }, (_, n) => `"n${n}":0`).join(',')}}]`],
  ])('has fewer %s than other JSON', (what, text) => {
    expect(() => read(text)).toThrow(expect.objectContaining({ code: 'WM1105', limit: what }));
    expect(parseJsonText(text)).toBeDefined();
  });
});

describe('long text that is counted in slices', () => {
  const pauses = { count: 0 };
  const read = (text: string, limits = {}) => {
    pauses.count = 0;
    return parseJsonTextInTurns(text, limits, () => Promise.resolve(pauses.count++));
  };
  const rows = Array.from({ length: 60_000 }, (_, i) => ({ [`name ${i % 7}`]: `a "quoted" text, [${i}]{` }));
  const text = JSON.stringify(rows);

  it('is the same, with pauses in between', async () => {
    expect(await read(text, { maxValues: 200_000, maxNames: 10 })).toEqual(rows);
    // Twice counted, in slices of half a megabyte, and then parsed.
    expect(pauses.count).toBe(2 * Math.floor(text.length / 500_000) + 1);
    expect(await read('[1]', { maxValues: 1 + 1 })).toEqual([1]);
    expect(pauses.count).toBe(0);
  });

  it('breaks the same limits wherever a slice ends', async () => {
    const refused = (limits: object) => expect(read(text, limits)).rejects;
    await refused({ maxValues: 119_999 }).toMatchObject({ code: 'WM1105', limit: 'values' });
    await refused({ maxNames: 6 }).toMatchObject({ code: 'WM1105', limit: 'names' });
    await refused({ maxDepth: 1 }).toMatchObject({ code: 'WM1105', limit: 'depth' });
    await expect(read(`${text.slice(0, -1)},}`, { maxNames: 10 })).rejects.toMatchObject({ code: 'WM1104' });
    expect(await read(`["${'x'.repeat(2_000_000)}",1]`, { maxValues: 3 })).toHaveLength(2);
  });
});
