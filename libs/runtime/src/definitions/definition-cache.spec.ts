import { LruCache } from './definition-cache.js';

describe('LruCache', () => {
  it('drops what was unused for longest', () => {
    const cache = new LruCache<number>(2);
    cache.set('a', 1);
    cache.set('b', 2);
    expect([cache.get('a'), cache.get('a')]).toEqual([1, 1]);
    cache.set('c', 3);
    expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([1, undefined, 3]);
  });

  it('moves an entry again after the newest was deleted', () => {
    const cache = new LruCache<number>(2);
    cache.set('a', 1);
    cache.set('b', 2);
    cache.delete('b');
    cache.set('c', 3);
    expect(cache.get('a')).toBe(1);
    cache.set('d', 4);
    expect([cache.get('a'), cache.get('c')]).toEqual([1, undefined]);
    cache.clear();
    expect(cache.get('a')).toBeUndefined();
  });
});
