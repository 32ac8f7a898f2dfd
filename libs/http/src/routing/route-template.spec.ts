import fc from 'fast-check';
import { RouteTemplateError } from './route-template-error.js';
import { parseTemplate } from './route-template.js';
import { parseRequestPath } from './request-path.js';
import { variantsOf } from './template-variant.js';

const match = (template: string, path: string) => {
  const { segments } = parseRequestPath(path)!;
  for (const variant of variantsOf(parseTemplate(template))) {
    const values = variant.match(segments);
    if (values) return values;
  }
  return undefined;
};

describe('route templates', () => {
  it.each<[string, string, Record<string, string | null> | undefined]>([
    ['', '/', {}],
    ['/', '', {}],
    ['a/b', '/A/b/', {}],
    ['a/b', '/a', undefined],
    ['orders/{id}', '/orders/7', { id: '7' }],
    ['orders/{id}', '/orders', undefined],
    ['orders/{id}', '/orders//', undefined],
    ['orders/{id?}', '/orders', {}],
    ['orders/{id?}', '/orders/7', { id: '7' }],
    ['{controller=home}/{action=index}', '/', { controller: 'home', action: 'index' }],
    ['{controller=home}/{action=index}', '/shop', { controller: 'shop', action: 'index' }],
    ['files/{*path}', '/files/a/b%20c', { path: 'a/b c' }],
    ['files/{**path}', '/files', { path: null }],
    ['files/{*path=none}', '/files', { path: 'none' }],
    ['{name}.{ext}', '/a.b.txt', { name: 'a.b', ext: 'txt' }],
    ['{name}.{ext?}', '/report', { name: 'report' }],
    ['{name}.{ext?}', '/report.pdf', { name: 'report', ext: 'pdf' }],
    ['v{version}-{part}', '/v1-x', { version: '1', part: 'x' }],
    ['-{name}', '/--a', { name: '-a' }],
    ['{{braces}}', '/{braces}', {}],
    ['{id:int}', '/12', { id: '12' }],
    ['{id:int}', '/x', undefined],
    ['{id:int}', '/99999999999', undefined],
    ['{id:int:min(5)}', '/4', undefined],
    ['{id:int:min(5)}', '/5', { id: '5' }],
    ['{id:range(1,3)}', '/3', { id: '3' }],
    ['{id:range(1,3)}', '/4', undefined],
    ['{x:alpha:length(2,3)}', '/ab', { x: 'ab' }],
    ['{x:alpha:length(2,3)}', '/abcd', undefined],
    ['{x:bool}', '/TRUE', { x: 'TRUE' }],
    ['{x:guid}', '/2f2c6ba0-6c3b-4b2e-9d8a-3f1b6a0c9e11', { x: '2f2c6ba0-6c3b-4b2e-9d8a-3f1b6a0c9e11' }],
    ['{x:datetime}', '/2026-01-31', { x: '2026-01-31' }],
    ['{x:datetime}', '/soon', undefined],
    ['{x:datetime}', '/order-1', undefined],
    ['{x:datetime}', '/2026-02-30', undefined],
    ['{x:datetime}', '/2026-01-31T10:00:00Z', { x: '2026-01-31T10:00:00Z' }],
    ['{x:datetime}', '/1 Aug 2026', { x: '1 Aug 2026' }],
    ['{x:long}', '/9223372036854775807', { x: '9223372036854775807' }],
    ['{x:long}', '/9223372036854775808', undefined],
    ['{x:decimal}', '/1.5', { x: '1.5' }],
    ['{x:file}', '/a.txt', { x: 'a.txt' }],
    ['{x:nonfile}', '/a.txt', undefined],
    ['{x:regex(^a+$)}', '/aaa', { x: 'aaa' }],
    ['{x:regex(^a+$)}', '/ab', undefined],
    ['{x:regex(^\\d{{2}}$)}', '/42', { x: '42' }],
    ['{x:regex(^\\u0041b$)}', '/ab', { x: 'ab' }],
    ['{x:int?}', '/', {}],
    ['{x:int=3}', '/', { x: '3' }],
    ['caf\u00e9/{x}', '/caf%C3%A9/1', { x: '1' }],
    ['a/{x}', '/a/b%2Fc', { x: 'b/c' }],
  ])('%s with %s', (template, path, expected) => {
    expect(match(template, path)).toEqual(expected);
  });

  it.each([
    ['a//b', 'empty segment'],
    ['{a', 'not closed'],
    ['a}', 'not opened'],
    ['{}', 'no parameter name'],
    ['{a}/{A}', 'twice'],
    ['{*rest}/more', 'last segment'],
    ['x{*rest}', 'last segment'],
    ['{a}{b}', 'touch'],
    ['{a:nosuch}', 'no constraint'],
    ['{a:min(x)}', 'wrong arguments'],
    ['{a:int(3)}', 'wrong arguments'],
    ['{a:regex([)}', 'regular expression'],
    ['{a:regex((?=x)y)}', 'look-around'],
    ['{a:regex((x)\\1)}', 'references to groups'],
    [`{a:regex(${'x'.repeat(501)})}`, 'longer than 500'],
    ['{a:regex(.{{0,999}}.{{0,999}}.{{0,999}}.{{0,999}}b)}', 'more than 1000 instructions'],
    [`{a:regex(${'.{{0,1000}}'.repeat(30)})}`, 'more than 1000 instructions'],
    ['{a:regex(((x{{9}}){{9}}){{13}})}', 'more than 1000 instructions'],
    ['{a:regex(.{{400}})}/{b:regex(.{{400}})}/{c:regex(.{{400}})}', 'more than 1000 instructions'],
    ['{a:regex(x{{400}}):regex(x{{400}}):regex(x{{400}})}', 'more than 1000 instructions'],
    [`{a:regex(${'[b-\u{1e000}]'.repeat(9)})}`, 'more than 8 Unicode classes'],
    [`{a:regex(${'\\pL'.repeat(9)})}`, 'more than 8 Unicode classes'],
    ['a'.repeat(4001), 'longer than 4000'],
    ['{a'.repeat(10_000), 'longer than 4000'],
  ])('refuses %s', (template, reason) => {
    expect(() => parseTemplate(template)).toThrow(RouteTemplateError);
    expect(() => parseTemplate(template)).toThrow(reason);
  });

  it.each([
    ['/a/{x}', 'a/{y}/', true],
    ['/A/{x:int}', '/a/{y:int}', true],
    ['/a/{x:int}', '/a/{x}', false],
    ['/a/{x?}', '/a/{x}', false],
    ['/a/{x=1}', '/a/{x=2}', true],
  ])('keys of %s and %s: equal %s', (a, b, equal) => {
    expect(parseTemplate(a).key === parseTemplate(b).key).toBe(equal);
  });

  // Each of them kept a process busy for minutes when the path was matched by a backtracking expression.
  it.each([
    ['{x:regex((a|a)+b)}', 'a'.repeat(16_000)],
    ['{x:regex((a+)+$)}', `${'a'.repeat(16_000)}!`],
    ['{x:regex(^a*a*a*a*a*a*a*a*b$)}', 'a'.repeat(16_000)],
    ['{x:regex((x+x+)+y)}', 'x'.repeat(16_000)],
    ['{a}-{b}-{c}-{d}-{e}-{f}.x', '-'.repeat(16_000)],
    ['{a}a{b}a{c}a{d}a{e}ab', 'a'.repeat(16_000)],
  ])('%s refuses a crafted path in time that grows with its length', (template, path) => {
    expect(match(template, `/${path}`)).toBeUndefined();
  });

  it.each([
    // 798, 6 and, together, 306 instructions: so many characters are 100,000 steps or fewer.
    ['{x:regex(^.{{0,99}}.{{0,99}}.{{0,99}}.{{0,99}}b$)}', 100, 140],
    ['{x:regex(^[ab]+$)}', 16_000, undefined],
    ['{x:regex(^a{{300}})}/{y:regex(b$)}', 310, 400],
  ])('%s is asked about short texts only', (template, asked, tooLong) => {
    const path = (length: number) =>
      `/${[...template.matchAll(/regex/g)].map(() => `${'a'.repeat(length - 1)}b`).join('/')}`;
    expect(match(template, path(asked))).toBeDefined();
    if (tooLong) expect(match(template, path(tooLong))).toBeUndefined();
  });

  it('takes several parameters of a segment as a greedy expression does', () => {
    const part = fc.constantFrom('a', 'ab', 'b', '-', 'a-');
    const text = fc.string({ unit: fc.constantFrom('a', 'B', '-', '\u0130'), maxLength: 12 });
    const parts = fc.array(part, { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(parts, fc.boolean(), fc.boolean(), text, (literals, begins, ends, value) => {
        fc.pre(value !== '' && parseRequestPath(`/${value}`) !== undefined);
        const gaps = literals.map((literal, i) => (i === 0 && begins ? literal : `{p${i}}${literal}`));
        const template = gaps.join('') + (ends ? '{last}' : '');
        fc.pre(/[{]/.test(template));
        const pattern = template.replaceAll(/\{(\w+)\}/g, '(?<$1>.+)');
        const expected = new RegExp(`^${pattern}$`, 'is').exec(value)?.groups;
        expect(match(template, `/${value}`)).toEqual(expected && { ...expected });
      }),
    );
  });

  it('does not take malformed paths for text', () => {
    expect(parseRequestPath('/a/%E0%A4%A')).toBeUndefined();
  });
});
