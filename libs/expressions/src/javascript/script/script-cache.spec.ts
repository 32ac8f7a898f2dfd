import { expect, it } from '@jest/globals';
import { ScriptCache } from './script-cache.js';

it('the cache of scripts drops the least recently used ones beyond its count', () => {
  const cache = new ScriptCache(2);
  const [a, b] = [cache.get('a'), cache.get('b')];
  expect(cache.get('a')).toBe(a);
  cache.get('c');
  expect(cache.get('a')).toBe(a);
  expect(cache.get('b')).not.toBe(b);
});

it('the cache of scripts drops old ones when their texts are long, and keeps the newest one whatever its length', () => {
  const cache = new ScriptCache(1000);
  const text = (n: number): string => `${n}${'x'.repeat(999_999)}`;
  const small = cache.get('1');
  const scripts = Array.from({ length: 9 }, (_, n) => cache.get(text(n)));
  expect(cache.get('1')).toBe(small);
  expect(cache.get(text(0))).toBe(scripts[0]);
  cache.get(text(9));
  expect(cache.get(text(1))).not.toBe(scripts[1]);
  expect(cache.get('1')).toBe(small);
  const long = cache.get('y'.repeat(20_000_000));
  expect(cache.get('y'.repeat(20_000_000))).toBe(long);
  expect(cache.get('1')).not.toBe(small);
});
