import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { parseScript } from './parse-script.js';

/** Scripts of the directly evaluated kind, with some of everything that is around it. */

const names = ['a', 'b', 'list', 'Order', 'text', 'when'] as const;
const members = ['a', 'b', 'x', 'length', 'constructor', '__proto__', 'toString', 'then'] as const;

const numeral = fc.oneof(
  fc.integer({ min: -5, max: 100 }).map((n) => (n < 0 ? `(${n})` : String(n))),
  fc.double({ noNaN: true, noDefaultInfinity: true, min: 0 }).map(String),
  fc.constantFrom(
    '0',
    '0.1',
    '0.5',
    '2.5',
    '1e21',
    '1e-7',
    '9007199254740993',
    '4294967296',
    '2147483648',
    '1.0',
    '5.',
  ),
);
const literal = fc.oneof(
  { weight: 3, arbitrary: numeral },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      'null',
      'true',
      'false',
      'undefined',
      'NaN',
      'Infinity',
      '""',
      '"a"',
      '" 5 "',
      '"-0"',
      '"1e3"',
    ),
  },
  { weight: 2, arbitrary: fc.string({ maxLength: 6, unit: 'grapheme' }).map((s) => JSON.stringify(s)) },
);
const read = fc.oneof(
  fc.constantFrom(...names).map((n) => `getVariable("${n}")`),
  fc.constantFrom(...names).map((n) => `get${n.charAt(0).toUpperCase()}${n.slice(1)}()`),
  fc.constantFrom(...names).map((n) => `variables.${n}`),
  fc.constantFrom(
    'getInput("amount")',
    'args.item',
    'getOutputFrom("Step1")',
    'getLastResult()',
    'getCorrelationId()',
    'getNone()',
  ),
);
const binary = fc.constantFrom(
  ...'+ + + - * / % < > <= >= == != === !== && || ?? & | ^ << >> >>> ** in instanceof ,'.split(' '),
);
const unary = fc.constantFrom('!', '-', '+', '~', 'typeof ', 'void ');

type Text = fc.Arbitrary<string>;

/** Mostly a list. */
const listLike = (e: Text): Text =>
  fc.oneof(
    fc.constantFrom(
      'getList()',
      'getVariable("list")',
      'variables.list',
      'getLastResult()',
      'Object.values(getOrder())',
    ),
    fc.array(e, { maxLength: 4 }).map((items) => `[${items.join(', ')}]`),
    fc
      .array(fc.tuple(e, e), { maxLength: 4 })
      .map((items) => `[${items.map(([a, b]) => `{ a: ${a}, b: ${b} }`).join()}]`),
    fc.array(numeral, { maxLength: 4 }).map((items) => `[${items.join(', ')}]`),
    e,
  );

/** A method with a function; what the function says may name its parameters. */
const callback = (e: Text): Text =>
  fc.oneof(
    fc
      .tuple(
        fc.constantFrom('map', 'filter', 'find', 'findIndex', 'findLast', 'some', 'every', 'flatMap', 'reduce', 'sort'),
        fc.constantFrom('v =>', '(v, w) =>', '() =>', '({ a }) =>', '([v, w]) =>', '(v, w, u) =>'),
        fc.oneof(
          e,
          fc.constantFrom(
            'v',
            'w',
            'a',
            'v.a',
            'v?.b',
            'v + w',
            'v * 2',
            '[v, w]',
            '({ v, a: w })',
            '{ return v }',
            '{ if (v) return 1; const c = v; return [c] }',
            'typeof v',
            'v.constructor',
          ),
        ),
      )
      .map(
        ([method, head, body]) =>
          `${method}(${head} ${body.startsWith('{') || body.startsWith('(') ? body : `(${body})`})`,
      ),
    fc.constantFrom(
      'reduce((s, v) => s + v, 0)',
      'reduce((s, v) => ({ ...s, x: v }), {})',
      'sort((a, b) => a - b)',
      'sort((a, b) => b.a - a.a)',
      'toSorted((a, b) => a.b - b.b)',
      'filter(Boolean)',
      'map(String)',
      'map(Number)',
    ),
  );

const { expression } = fc.letrec<{ expression: string }>((tie) => {
  const e = tie('expression');
  return {
    expression: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      { weight: 3, arbitrary: literal },
      { weight: 3, arbitrary: read },
      { weight: 4, arbitrary: fc.tuple(e, binary, e).map(([l, o, r]) => `(${l} ${o} ${r})`) },
      { weight: 1, arbitrary: fc.tuple(unary, e).map(([o, v]) => `${o}(${v})`) },
      { weight: 1, arbitrary: fc.tuple(e, e, e).map(([c, t, f]) => `(${c} ? ${t} : ${f})`) },
      {
        weight: 2,
        arbitrary: fc
          .tuple(e, fc.constantFrom('.', '?.'), fc.constantFrom(...members))
          .map(([o, d, m]) => `(${o})${d}${m}`),
      },
      {
        weight: 2,
        arbitrary: fc
          .tuple(read, fc.array(fc.constantFrom(...members), { minLength: 1, maxLength: 3 }))
          .map(([o, m]) => `${o}?.${m.join('?.')}`),
      },
      { weight: 1, arbitrary: fc.tuple(e, e).map(([o, k]) => `(${o})[${k}]`) },
      { weight: 1, arbitrary: fc.tuple(e, e).map(([a, b]) => `\`<\${${a}}-\${${b}}>\``) },
      { weight: 1, arbitrary: fc.array(e, { maxLength: 3 }).map((items) => `[${items.join(', ')}]`) },
      {
        weight: 1,
        arbitrary: fc
          .array(
            fc.tuple(fc.constantFrom('a', 'b', '2', '1', '"x y"', '["k"]', '[1 + 1]', '[getText()]', '"__proto__"'), e),
            { maxLength: 3 },
          )
          .map((list) => `({ ${list.map(([k, v]) => `${k}: ${v}`).join(', ')} })`),
      },
      {
        weight: 1,
        arbitrary: fc
          .tuple(
            fc.constantFrom(
              'Number',
              'String',
              'Boolean',
              'isNaN',
              'isFinite',
              'Number.isInteger',
              'Array.isArray',
              'Math.round',
              'Math.floor',
              'Math.ceil',
              'Math.trunc',
              'Math.abs',
              'Math.sign',
              'toJson',
              'isNullOrEmpty',
              'isNullOrWhiteSpace',
              'stringToBase64',
            ),
            e,
          )
          .map(([f, v]) => `${f}(${v})`),
      },
      {
        weight: 1,
        arbitrary: fc
          .tuple(fc.constantFrom('Math.max', 'Math.min'), fc.array(numeral, { maxLength: 3 }))
          .map(([f, v]) => `${f}(${v.join()})`),
      },
      {
        weight: 1,
        arbitrary: fc
          .tuple(
            e,
            fc.constantFrom(
              'includes',
              'indexOf',
              'join',
              'startsWith',
              'endsWith',
              'charAt',
              'slice',
              'substring',
              'trim',
              'toUpperCase',
              'toLowerCase',
              'at',
              'concat',
            ),
            fc.array(e, { maxLength: 2 }),
          )
          .map(([o, m, args]) => `(${o}).${m}(${args.join(', ')})`),
      },
      { weight: 1, arbitrary: fc.tuple(fc.constantFrom('(() => ', '(x => '), e).map(([f, v]) => `${f}${v})(1)`) },
      { weight: 3, arbitrary: fc.tuple(listLike(e), callback(e)).map(([list, call]) => `(${list}).${call}`) },
      {
        weight: 1,
        arbitrary: fc
          .tuple(
            listLike(e),
            fc.constantFrom('slice(1)', 'flat()', 'reverse()', 'sort()', 'at(-1)', 'concat([1], 2)', 'toSorted()'),
          )
          .map(([list, call]) => `(${list})?.${call}`),
      },
      {
        weight: 1,
        arbitrary: fc
          .tuple(fc.constantFrom('Object.keys', 'Object.values', 'Object.entries', 'JSON.stringify'), e)
          .map(([f, v]) => `${f}(${v})`),
      },
      {
        weight: 1,
        arbitrary: fc.tuple(listLike(e), listLike(e)).map(([a, b]) => `[...(${a}), 1, ...(${b})]`),
      },
      { weight: 1, arbitrary: fc.tuple(e, e).map(([a, b]) => `({ a: 1, ...(${a}), b: ${b} })`) },
      { weight: 1, arbitrary: listLike(e).map((list) => `Math.max(...(${list}))`) },
      {
        weight: 1,
        arbitrary: fc.tuple(e, fc.integer({ min: 0, max: 20 })).map(([v, digits]) => `(${v}).toFixed(${digits})`),
      },
      {
        weight: 1,
        arbitrary: fc.tuple(numeral, fc.integer({ min: 0, max: 20 })).map(([v, d]) => `(${v}).toFixed(${d})`),
      },
      {
        weight: 1,
        arbitrary: fc
          .tuple(
            e,
            fc.constantFrom(
              'getTime()',
              'toISOString()',
              'getUTCDay()',
              'getHours()',
              'split("a")',
              'replace("a", "b")',
              'padStart(5, "0")',
              'toString()',
            ),
          )
          .map(([o, call]) => `(${o})?.${call}`),
      },
      { weight: 1, arbitrary: e.map((v) => `new Date(${v})`) },
    ),
  };
});

export const scripts = fc.oneof(
  { weight: 4, arbitrary: expression },
  { weight: 1, arbitrary: expression.map((e) => `return ${e}`) },
  { weight: 1, arbitrary: expression.map((e) => `${e};\n`) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom(';', '\n', ';\n'), expression, expression)
      .map(([end, v, e]) => `const c = ${v}${end}${e.replaceAll('getText()', 'c')}`),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(expression, expression, expression)
      .map(([c, a, b]) => `if (${c}) return ${a}; else { const d = ${b}; return d }`),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(expression, expression, expression).map(([c, a, b]) => `if (${c}) { return ${a} }\n${b}`),
  },
  { weight: 2, arbitrary: fc.tuple(listLike(expression), callback(expression)).map(([l, call]) => `(${l})?.${call}`) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom('{ a, b: c }', '[a, c]'), expression, callback(expression))
      .map(([pattern, v, call]) => `const ${pattern} = ${v}; [a, c].${call}`),
  },
);

const value = fc.oneof(
  fc.integer(),
  fc.double(),
  fc.string({ maxLength: 8, unit: 'binary' }),
  fc.constantFrom('5', '', '0', 'true', null, undefined, true, false, -0, NaN, new Date(7), 3n),
  fc.array(fc.oneof(fc.integer(), fc.string({ maxLength: 3 }), fc.constantFrom(null, undefined)), { maxLength: 4 }),
  fc.dictionary(
    fc.constantFrom('a', 'b', 'x', '1', 'length', 'then', '__proto__'),
    fc.oneof(fc.integer(), fc.string({ maxLength: 3 }), fc.constantFrom(null, undefined, -0, NaN)),
    { maxKeys: 4 },
  ),
  fc.constant({ a: { b: [1, { x: 'y' }] }, length: 3, x: new Date(3) }),
);

/** Variables that scripts ask for; some are missing. */
export const variables = fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 6 });

// Other specs import this file; its own test belongs to it alone.
if (expect.getState().testPath?.endsWith('random-scripts.spec.ts')) {
  test('most random scripts are valid', () => {
    const valid = fc.sample(scripts, 200).filter((source) => parseScript(source) !== undefined);
    expect(valid.length).toBeGreaterThan(150);
  });
}
