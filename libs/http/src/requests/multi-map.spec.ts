import { addText, parseHeaders, parseUrlEncoded, parseUrlEncodedInTurns, type TextMap } from './multi-map.js';

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

describe('parseHeaders', () => {
  const CASES: [title: string, rawHeaders: string[], listed: TextMap, inLowerCase: TextMap][] = [
    ['none', [], {}, {}],
    ['names in lower case', ['host', 'a', 'x', '1'], { host: 'a', x: '1' }, { host: 'a', x: '1' }],
    ['names with capitals', ['Host', 'a', 'X-Y', '1'], { Host: 'a', 'X-Y': '1' }, { host: 'a', 'x-y': '1' }],
    ['the first spelling', ['X', '1', 'x', '2', 'X', '3'], { X: ['1', '2', '3'] }, { x: ['1', '2', '3'] }],
    ['lower case first', ['x', '1', 'X', '2'], { x: ['1', '2'] }, { x: ['1', '2'] }],
    ['several', ['A', '1', 'a', '2', 'B', '3', 'b', '4'], { A: ['1', '2'], B: ['3', '4'] }, { b: ['3', '4'] }],
    [
      'names of an object',
      ['Constructor', '1', 'toString', '2'],
      { Constructor: '1', toString: '2' },
      { constructor: '1' },
    ],
  ];
  it.each(CASES)('lists %s once, readable in lower case', (_, rawHeaders, listed, inLowerCase) => {
    const map = parseHeaders(rawHeaders);
    expect(Object.entries(map)).toEqual(Object.entries(listed));
    for (const [name, value] of Object.entries(inLowerCase)) expect(map[name]).toEqual(value);
  });

  it('takes no prototype from a request', () => {
    for (const name of ['__proto__', '__PROTO__']) {
      const map = parseHeaders([name, 'x', name, 'y']);
      expect([Object.entries(map), Object.getPrototypeOf(map)]).toEqual([[[name, ['x', 'y']]], Object.prototype]);
    }
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

  it('parses random texts like the standard', async () => {
    const random = numbers(7);
    for (let round = 0; round < 3000; round++) {
      const pieces = PIECES[round % 2]!;
      const length = random.next().value % 24;
      const text = Array.from({ length }, () => pieces[random.next().value % pieces.length]).join('');
      expect({ text, map: await parse(text) }).toEqual({ text, map: standard(text) });
    }
  });

  it.each(['+', '%41', '%', 'a=1&', '=', '%C3%A9'])('parses many %j like the standard', async (piece) => {
    const text = `x=${piece.repeat(200_000)}`;
    expect((await parse(text)).x).toEqual(standard(text).x);
  });
});
