import { describe, expect, it } from '@jest/globals';
import { stripMarkers } from './polymorphic-json.js';

describe('stripMarkers', () => {
  it.each<[string, unknown, unknown]>([
    ['type markers', { a: 1, _type: 'ObjectMap', b: { _type: 'X' } }, { a: 1, b: {} }],
    ['typed collections', { _items: [1, { _type: 'X', a: 1 }], _type: 'List<Object>' }, [1, { a: 1 }]],
    ['a page of an API of the user', { _items: [1], _meta: { total: 1 } }, { _items: [1], _meta: { total: 1 } }],
    ['a member of the user beside others', { _island: 'Elba', sea: 'x' }, { _island: 'Elba', sea: 'x' }],
    ['preserved lists', { $id: '3', $values: [{ $id: '4', a: 1 }] }, [{ a: 1 }]],
    ['preserved lists without id', { $values: [1, 2] }, [1, 2]],
    ['ids, also after a type marker', { _type: 'X', $id: '7', a: 1 }, { a: 1 }],
    ['ids of objects with index names', JSON.parse('{"$id":"1","0":"x"}'), { 0: 'x' }],
    ['escaped names', { '\\$key': 1, '\\$id': 'x', $other: 2 }, { $key: 1, $id: 'x', $other: 2 }],
    ['scalars', 'text', 'text'],
    ['null', null, null],
  ])('%s', (_, value, expected) => {
    expect(stripMarkers(value)).toStrictEqual(expected);
  });

  it('keeps what is inside islands verbatim', () => {
    const island = { _island: '{"n":1,"$id":"7","_type":"user","\\\\$x":{"$ref":"1"}}', _type: 'JsonObject' };
    expect(stripMarkers({ $id: '1', data: island })).toStrictEqual({
      data: { n: 1, $id: '7', _type: 'user', '\\$x': { $ref: '1' } },
    });
    expect(stripMarkers({ _island: '[1,{"_type":"x"}]', _type: 'JArray' })).toStrictEqual([1, { _type: 'x' }]);
    expect(stripMarkers({ _island: 'not json', _type: 'JsonObject' })).toBe('not json');
  });

  it('resolves references to the same object, also before it is met', () => {
    const result = stripMarkers({
      first: { $ref: '2' },
      order: { $id: '2', lines: { $id: '3', $values: [{ $id: '4', sku: 'a' }] } },
      again: { $ref: '4' },
      lines: { $ref: '3' },
    }) as Record<string, Record<string, unknown>>;
    expect(result).toStrictEqual({
      first: { lines: [{ sku: 'a' }] },
      order: { lines: [{ sku: 'a' }] },
      again: { sku: 'a' },
      lines: [{ sku: 'a' }],
    });
    expect(result.first).toBe(result.order);
    expect(result.lines).toBe(result.order?.lines);
  });

  it('refuses references that would multiply what they refer to', () => {
    const doubling = (levels: number): object[] => [
      { $id: '0', text: 'x' },
      ...Array.from({ length: levels }, (_, i) => ({
        $id: String(i + 1),
        a: { $ref: String(i) },
        b: { $ref: String(i) },
      })),
    ];
    expect(stripMarkers(doubling(3))).toHaveLength(4);
    expect(() => stripMarkers(doubling(40))).toThrow(expect.objectContaining({ code: 'WM1105', limit: 'values' }));
    expect(() => stripMarkers(doubling(40).toReversed())).toThrow(expect.objectContaining({ code: 'WM1105' }));
    expect(() => stripMarkers(doubling(3), { maxValues: 9 })).toThrow(expect.objectContaining({ code: 'WM1105' }));
  });

  it('counts what is repeated by its length', () => {
    const long = [{ $id: '1', ['n'.repeat(100_000)]: 'x'.repeat(100_000) }, ...Array(600).fill({ $ref: '1' })];
    expect(() => stripMarkers(long)).not.toThrow();
    expect(() => stripMarkers([...long, ...Array(600).fill({ $ref: '1' })])).toThrow(
      expect.objectContaining({ code: 'WM1105' }),
    );
  });

  it('refuses references that lead deeper than JSON may be nested', () => {
    const chain = Array.from({ length: 100_000 }, (_, i) => ({ $id: String(i), next: { $ref: String(i + 1) } }));
    expect(() => stripMarkers(chain)).toThrow(expect.objectContaining({ code: 'WM1105', limit: 'depth' }));
  });

  it('counts the values of all islands together', () => {
    const island = { _island: `[${'1,'.repeat(99)}0]`, _type: 'JArray' };
    expect(stripMarkers([island], { maxValues: 150 })).toHaveLength(1);
    expect(() => stripMarkers([island, { ...island }, { ...island }], { maxValues: 250 })).toThrow(
      expect.objectContaining({ code: 'WM1105' }),
    );
  });

  it('ends cycles with null', () => {
    expect(stripMarkers({ $id: '1', name: 'parent', child: { $id: '2', parent: { $ref: '1' } } })).toStrictEqual({
      name: 'parent',
      child: { parent: null },
    });
  });

  it.each<[string, unknown]>([
    ['ids of JSON schemas', { $id: '#/definitions/x', $schema: 's', nested: { $id: '#inner', type: 'object' } }],
    ['ids after other members', { n: 1, $id: '7' }],
    ['ids that are numbers', { $id: 7 }],
    ['references of JSON schemas', { $ref: '#/definitions/x' }],
    ['references to nothing', { $ref: '99' }],
    ['references among other members', { $ref: '1', a: 1 }],
    ['types that are no text', { _type: 5, a: 1 }],
    ['lists among other members', { $values: [1], total: 1 }],
    ['items and values', { items: [1], values: [2] }],
  ])('leaves user data alone: %s', (_, value) => {
    expect(stripMarkers({ $id: '1', value })).toStrictEqual({ value });
  });

  it('unwraps typed items and values when asked to', () => {
    const node = {
      cases: { _type: 'List<Case>', items: [{ _type: 'Case', label: 'A' }] },
      x: { _type: 'T', values: [1] },
    };
    expect(stripMarkers(node, { wrappedLists: true })).toStrictEqual({ cases: [{ label: 'A' }], x: [1] });
    expect(stripMarkers(node)).toStrictEqual({ cases: { items: [{ label: 'A' }] }, x: { values: [1] } });
    expect(stripMarkers({ _type: 'Page', items: [1], total: 1 }, { wrappedLists: true })).toStrictEqual({
      items: [1],
      total: 1,
    });
  });

  it('does not change its argument and does not pollute prototypes', () => {
    const value = JSON.parse('{"_type":"X","__proto__":{"polluted":1}}') as Record<string, unknown>;
    const result = stripMarkers(value) as Record<string, unknown>;
    expect(JSON.stringify(result)).toBe('{"__proto__":{"polluted":1}}');
    expect(result.polluted).toBeUndefined();
    expect(value).toHaveProperty('_type', 'X');
  });
});
