import { describe, expect, it } from '@jest/globals';
import { withoutTypeMarkers } from './type-markers.js';

describe('withoutTypeMarkers', () => {
  it('takes markers off objects and lists', () => {
    const marked = {
      _type: 'ObjectMap',
      a: { _type: 'List<String>', _items: ['x', { _type: 'Y', b: 1 }] },
      b: { _type: 'JsonObject', _island: '{"_type":"mine","$id":"1"}' },
    };
    expect(withoutTypeMarkers(marked, false)).toEqual({ a: ['x', { b: 1 }], b: { _type: 'mine', $id: '1' } });
  });

  it('knows more spellings of lists inside activities', () => {
    const marked = [
      { _type: 'Object[]', items: [1] },
      { _type: 'Z', values: [2] },
    ];
    expect(withoutTypeMarkers(marked, true)).toEqual([[1], [2]]);
    expect(withoutTypeMarkers(marked, false)).toEqual([{ items: [1] }, { values: [2] }]);
  });

  it('keeps values that only look like a wrapper', () => {
    const data = { items: [1], values: [2], $id: '1', $values: [3], _island: 'x', nested: { _items: [] } };
    expect(withoutTypeMarkers(data, true)).toEqual(data);
    expect(withoutTypeMarkers({ _type: 'Order', items: [1], total: 5 }, true)).toEqual({ items: [1], total: 5 });
  });

  it('keeps a member named __proto__ a member', () => {
    const result = withoutTypeMarkers(JSON.parse('{"__proto__":{"polluted":true}}'), true);
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
    expect(Object.keys(result as object)).toEqual(['__proto__']);
  });
});
