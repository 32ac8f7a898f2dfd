import { describe, expect, test } from '@jest/globals';
import { findMentionedNames } from './mentioned-names.js';

describe('names that a script mentions', () => {
  test.each<[string, string[]]>([
    ['getFoo() + setBar(1) + getFoo()', ['getFoo', 'setBar']],
    ['date.getTime() + date?.getDay() + date\n  .getHours()', []],
    ['[...getItems()]', ['getItems']],
    ['({ ...getA(), b: getB })', ['getA', 'getB']],
    ['settings + getter + getaway + set + get', []],
    ['get1() + getÄnderung() + get漢字()', ['get1', 'getÄnderung', 'get漢字']],
    ['widgetFoo() + $getFoo() + _setX', []],
  ])('%j: accessors', (source, accessors) => expect(findMentionedNames(source).accessors).toEqual(accessors));

  test.each<[string, string[] | undefined]>([
    ['1', undefined],
    ['my.variables.X + variablesX', undefined],
    ['variables', []],
    [
      'variables.A + variables . B + variables?.C + variables["D e"] + variables?.[\'F\'] + variables.A.x',
      ['A', 'B', 'C', 'D e', 'F'],
    ],
    ['[...variables.List]', ['List']],
    ['variables[name]', []],
  ])('%j: variables', (source, variables) => expect(findMentionedNames(source).variables).toEqual(variables));

  test.each<[string, string[]]>([
    ['a = 1', ['a']],
    ['a == 1 || a === 2 || a <= 3 || a >= 4 || a != 5 || (a => 1)', []],
    ['let a = 1; const b = 2; var c = 3; a = 2; function d() {} d = 1; class E {} E = 1', []],
    ['x.a = 1; x["b"] = 2; x?.c', []],
    ['a += 1; b++; --c; d ??= 1; e **= 2; f >>>= 1', ['a', 'b', 'c', 'd', 'e', 'f']],
    ['for (i = 0; ; ) {} for (k in o) {} for (v of o) {} for (const x of o) {}', ['i', 'k', 'v']],
    ['this = 1; eval = 2; arguments = 3; default = 4; class A { static = 1 }', []],
  ])('%j: assigned without declaration', (source, assigned) =>
    expect(findMentionedNames(source).assigned).toEqual(assigned),
  );

  test.each<[string, boolean]>([
    ['[a, b] = [1, 2]; a + b', true],
    ['let x = 1;\n[a, b] = [x, 2]', true],
    ['({ a, b: c } = getOrder()); a', true],
    ['for ([k, v] of Object.entries(o)) k', true],
    ['for ({ id } of getItems()) id', true],
    ['if (x) { [a] = y }', true],
    ['let a; let b; [a, b] = [b, a]', false],
    ['let a, b; [a, b] = [1, 2]', false],
    ['const [a, b] = [1, 2]; const { c } = x; for (const [k, v] of y) k', false],
    ['a[0] = 1; x.list[i] = 2; [1, 2] == 3; ({ a: 1 }) == 2; f([1], { a: 1 })', false],
    ['[1, 2].map(([a, b]) => a)', false],
  ])('%j: assigns parts without declaration %j', (source, assignsParts) =>
    expect(findMentionedNames(source).assignsParts).toBe(assignsParts),
  );

  test.each(['[', '{', '([', '({', ';[', 'for([', '\n', ',[ '])(
    'a text full of %j is read in the time of its length',
    (part) => {
      expect(findMentionedNames(part.repeat(500_000)).assignsParts).toBe(false);
    },
  );

  test.each<[string, boolean]>([
    ['args.item', true],
    ['[...args.list]', true],
    ['x.args + arguments + args1', false],
  ])('%j: args %j', (source, args) => expect(findMentionedNames(source).args).toBe(args));
});
