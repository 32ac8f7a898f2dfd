import { addText, parseUrlEncoded, parseUrlEncodedInTurns, type TextMap } from './multi-map.js';

/** What the standard's parser makes of it. */
function standard(text: string): TextMap {
  const map: TextMap = {};
  for (const [name, value] of new URLSearchParams(text)) addText(map, name, value);
  return map;
}

describe('parseUrlEncoded', () => {
  it.each([
    '',
    'a=1',
    'a=1&b=2&a=3&a=4',
    'a',
    '=x',
    '=',
    '&&a=1&',
    'a==b=c',
    'a=x y',
    'a=b+c',
    'a%20b=%C3%A9',
    'a=%zz&b=%E9',
    '?a=1',
    'a=?',
    'ä=ö',
    'constructor=1&toString=2',
  ])('reads %j as the standard does', (text) => {
    expect(parseUrlEncoded(text)).toEqual(standard(text));
  });

  it('keeps every value of a name that comes often', () => {
    const values = Array.from({ length: 100_000 }, (_, n) => String(n));
    expect(parseUrlEncoded(values.map((value) => `a=${value}`).join('&'))).toEqual({ a: values });
  });

  it('takes no prototype from a request', () => {
    const map = parseUrlEncoded('__proto__=x&a=1');
    expect([Object.keys(map), Object.getPrototypeOf(map)]).toEqual([['__proto__', 'a'], Object.prototype]);
  });
});

describe('parseUrlEncodedInTurns', () => {
  const parse = (text: string) => parseUrlEncodedInTurns(Buffer.from(text));
  const ALWAYS = ['a', 'b', '=', '=', '&', '&', '+', '%41', '%C3%A9', '%EF%BB%BF', '?'];
  // Node's own parser garbles characters beyond ASCII beside escapes that are broken, so each has texts of its own.
  const PIECES = [
    [...ALWAYS, '%', '%4', '%zz', '%C3', '%E2%82'],
    [...ALWAYS, 'é', '😀'],
  ];
  /** The same for each run. */
  function* numbers(seed: number): Generator<number, never> {
    for (let x = seed; ;) yield (x = (x * 48_271) % 2_147_483_647);
  }

  it('makes of random texts what the standard does', async () => {
    const random = numbers(7);
    for (let round = 0; round < 3000; round++) {
      const pieces = PIECES[round % 2]!;
      const length = random.next().value % 24;
      const text = Array.from({ length }, () => pieces[random.next().value % pieces.length]).join('');
      expect({ text, map: await parse(text) }).toEqual({ text, map: standard(text) });
    }
  });

  it.each(['+', '%41', '%', 'a=1&', '=', '%C3%A9'])('makes of many %j what the standard does', async (piece) => {
    const text = `x=${piece.repeat(200_000)}`;
    expect((await parse(text)).x).toEqual(standard(text).x);
  });
});
