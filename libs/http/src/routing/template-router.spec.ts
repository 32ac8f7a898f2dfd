import fc from 'fast-check';
import findMyWay from 'find-my-way';
import { amountOf } from '../../../../test/support/depth.js';
import { parseRequestPath } from './request-path.js';
import { parseTemplate } from './route-template.js';
import { compareRank, TemplateRouter } from './template-router.js';
import { variantsOf } from './template-variant.js';

const router = (...templates: string[]) => {
  const made = new TemplateRouter<string>();
  for (const template of templates) made.add(parseTemplate(template), template);
  return made;
};
const find = (r: TemplateRouter<string>, path: string) => r.find(parseRequestPath(path)!);

describe('TemplateRouter', () => {
  it.each<[string[], string, string | undefined]>([
    [['orders/{id}', 'orders/{id:int}', 'orders/{*rest}'], '/orders/7', 'orders/{id:int}'],
    [['orders/{id}', 'orders/{id:int}', 'orders/{*rest}'], '/orders/x', 'orders/{id}'],
    [['orders/{id}', 'orders/{id:int}', 'orders/{*rest}'], '/orders/x/y', 'orders/{*rest}'],
    [['orders/{id}', 'orders/{id:int}', 'orders/{*rest}'], '/other', undefined],
    [['a/{x}/c', '{y}/b/c'], '/a/b/c', 'a/{x}/c'],
    // The constraint that the first one fails is not in the pattern, so the others are asked one by one.
    [['n/{x:max(5)}', 'n/{x}'], '/n/9', 'n/{x}'],
    [['n/{x:max(5)}/{y}', 'n/{x}/{y:max(3)}'], '/n/9/2', 'n/{x}/{y:max(3)}'],
    [['{a}-{b}', '{a}'], '/x-y', '{a}-{b}'],
    [['{a}-{b}', '{a}'], '/xy', '{a}'],
    [['a/{x?}', 'a/{*rest}'], '/a', 'a/{x?}'],
    [['a*b/{x}'], '/a*b/1', 'a*b/{x}'],
    [['a:b/{x}'], '/a:b/1', 'a:b/{x}'],
    [['{x:regex(^a/b$)}'], '/a%2Fb', '{x:regex(^a/b$)}'],
  ])('among %j, %s finds %s', (templates, path, expected) => {
    expect(find(router(...templates), path)?.value).toBe(expected);
    expect(find(router(...templates.toReversed()), path)?.value).toBe(expected);
  });

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])('keeps the value of a parameter %s', (name) => {
    const templates = [`a/{${name}}`, `b/{${name}?}`, `c/{*${name}}`, `d/{${name}=x}`, `e/{${name}}.txt`];
    const found = ['/a/x', '/b/x', '/c/x', '/d', '/e/x.txt'].map(
      (path) => find(router(...templates), path)?.routeValues,
    );
    expect(found.map((values) => Object.entries(values!))).toEqual(found.map(() => [[name, 'x']]));
    expect(found.map((values) => Object.getPrototypeOf(values) as unknown)).toEqual(found.map(() => Object.prototype));
  });

  it('keeps the casing of values', () => {
    expect(find(router('Users/{Name}'), '/uSERS/Ann')).toEqual({ value: 'Users/{Name}', routeValues: { Name: 'Ann' } });
  });

  const segment = fc.constantFrom(
    'a',
    'b',
    'ab',
    '7',
    '12',
    '{p}',
    '{p:int}',
    '{p:int:max(9)}',
    '{p:alpha}',
    '{p}.x',
    'a{p}',
    '{p:length(2)}',
  );
  const end = fc.constantFrom('', '{q?}', '{q=d}', '{*q}', '{q:int?}', 'b');
  const template = fc
    .tuple(fc.array(segment, { maxLength: 3 }), end)
    .map(([parts, last]) => [...parts.map((p, i) => p.replace('{p', `{p${i}`)), last].filter(Boolean).join('/'));
  const path = fc
    .array(fc.constantFrom('a', 'b', 'ab', '7', '12', '99', 'A', 'c.x', 'ax', 'zz', '%41'), { maxLength: 4 })
    .map((p) => `/${p.join('/')}`);

  it('finds the same route as a search through all templates', () => {
    fc.assert(
      fc.property(fc.uniqueArray(template, { maxLength: 8 }), path, (templates, text) => {
        const parsed = parseRequestPath(text)!;
        const r = router(...templates);
        const [expected] = templates
          .flatMap((t) => variantsOf(parseTemplate(t)))
          .filter((v) => v.match(parsed.segments))
          .sort((a, b) => compareRank(a.rank, b.rank));
        const found = r.find(parsed);
        expect(found !== undefined).toBe(expected !== undefined);
        if (!found || !expected) return;
        const ranks = variantsOf(parseTemplate(found.value)).filter((v) => v.match(parsed.segments));
        const best = ranks.sort((a, b) => compareRank(a.rank, b.rank))[0]!;
        expect(compareRank(best.rank, expected.rank)).toBe(0);
        expect(found.routeValues).toEqual(best.match(parsed.segments));
      }),
      { numRuns: amountOf(500) },
    );
  });

  it('finds after changes the same as a new router', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.tuple(template, fc.boolean()), { maxLength: 10, selector: ([t]) => t }),
        path,
        (templates, text) => {
          const parsed = parseRequestPath(text)!;
          const changed = router(...templates.map(([t]) => t));
          const kept = templates.filter(([, stays]) => stays).map(([t]) => t);
          for (const [t, stays] of templates) if (!stays) changed.remove(t);
          const fresh = router(...kept);
          expect(changed.find(parsed)).toEqual(fresh.find(parsed));
          expect([...changed.all(parsed)]).toEqual([...fresh.all(parsed)]);
        },
      ),
      { numRuns: amountOf(300) },
    );
  });

  it('finds the same routes while a mostly empty tree is replaced', () => {
    const pathOf = (i: number) => `things/t${i}/{id}`;
    const made = router(...Array.from({ length: 1000 }, (_, i) => pathOf(i)));
    const there = new Set(Array.from({ length: 1000 }, (_, i) => i));
    const change = (i: number, isAdded: boolean) => {
      if (isAdded) {
        made.add(parseTemplate(pathOf(i)), pathOf(i));
        there.add(i);
      } else {
        made.remove(pathOf(i));
        there.delete(i);
      }
      for (const asked of [i, 990, 1500]) {
        const found = find(made, `/things/t${asked}/7`)?.value;
        expect(found).toBe(there.has(asked) ? pathOf(asked) : undefined);
      }
    };
    for (let i = 0; i < 900; i++) change(i, false);
    for (let i = 850; i < 900; i++) change(i, true);
    for (let i = 1000; i < 1600; i++) change(i, true);
    for (const i of [...there]) change(i, false);
    for (let i = 0; i < 100; i++) change(i, true);
  });

  it('continues with the same matches when a template is added or removed meanwhile', () => {
    const made = router('a/{x:int}', 'a/{x}', '{y}/{x}');
    const matches = made.all(parseRequestPath('/a/1')!);
    const seen = [matches.next().value?.value];
    made.remove('a/{x:int}');
    made.add(parseTemplate('a/{z:min(0)}'), 'a/{z:min(0)}');
    for (const { value } of matches) seen.push(value);
    expect(seen).toEqual(['a/{x:int}', 'a/{x}', '{y}/{x}']);
  });

  // Work is counted, not timed: find-my-way builds its whole tree anew for a route that is taken off.
  it('is changed at the same cost with many templates', () => {
    const many = router(...Array.from({ length: 5000 }, (_, i) => `things/t${i}/{id}`));
    const few = router('things/t0/{id}');
    const grown = jest.spyOn((findMyWay as unknown as { prototype: { _on(): void } }).prototype, '_on');
    const work = (r: TemplateRouter<string>) => {
      grown.mockClear();
      for (let i = 0; i < 300; i++) {
        const fresh = `things/new${i}/{id}`;
        r.add(parseTemplate(fresh), fresh);
        expect(find(r, `/things/new${i}/1`)?.value).toBe(fresh);
        r.remove(fresh);
      }
      return grown.mock.calls.length;
    };
    expect(work(few)).toBeGreaterThanOrEqual(300);
    expect(work(many)).toBeLessThan(work(few) * 2);
    grown.mockRestore();
  });

  it('compares only the templates at the end of one path through the tree, however many there are', () => {
    const accepts = jest.fn(() => true);
    const any = { parameter: { name: 'any', kind: 'required' as const, constraints: [{ text: 'any', accepts }] } };
    const made = new TemplateRouter<string>();
    for (let i = 0; i < 5000; i++)
      made.add({ key: `/{any}/t${i}`, instructions: 0, segments: [[any], [{ literal: `t${i}` }]] }, `${i}`);
    expect(find(made, '/things/t4999')).toEqual({ value: '4999', routeValues: { any: 'things' } });
    expect(accepts).toHaveBeenCalledTimes(1);
  });
});
