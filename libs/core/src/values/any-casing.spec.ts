import { describe, expect, it } from '@jest/globals';
import { SuperJSON } from 'superjson';
import { inAnyCasing, isInAnyCasing } from './any-casing.js';
import { decodeValue, deserialize, encodeValue, serialize } from './storage-codec.js';

const paths = (value: unknown): string => JSON.stringify(value);

describe('objects in any casing', () => {
  const plain = () => ({ list: [1, inAnyCasing({ 'X-Test': 'a' })], other: { b: 1 } });
  const mixed = () => ({ ...plain(), when: new Date(5), file: inAnyCasing({ bytes: new Uint8Array([1]) }) });

  it.each([
    ['plain data', plain],
    ['more than JSON', mixed],
  ])('objects in any casing are unchanged after being stored among %s', (_, make) => {
    const value = make();
    for (const restored of [deserialize(serialize(value)), decodeValue(encodeValue(value))] as (typeof value)[]) {
      expect(restored).toEqual(value);
      expect(isInAnyCasing(restored.list[1] as object)).toBe(true);
      expect([isInAnyCasing(restored.other), isInAnyCasing(restored)]).toEqual([false, false]);
    }
  });

  it('objects in any casing are stored as they are listed, with a note beside them', () => {
    expect(serialize(inAnyCasing({ A: 1 }))).toBe('{"json":{"A":1},"meta":{"anyCasing":[[]]}}');
    expect(isInAnyCasing(deserialize<object>(serialize(inAnyCasing({ A: 1 }))))).toBe(true);
    expect(serialize({ A: 1 })).toBe('{"json":{"A":1}}');
  });

  it.each([Object.freeze, Object.seal, Object.preventExtensions, (object: object) => object])(
    'objects in any casing show no mark, whether they can be extended or not: %p',
    (close) => {
      const [object, other] = [close({ A: 1 }), close({ A: 1 })] as const;
      expect(isInAnyCasing(inAnyCasing(inAnyCasing(object)))).toBe(true);
      expect(isInAnyCasing(close(object))).toBe(true);
      expect(isInAnyCasing(other)).toBe(false);
      expect(Reflect.ownKeys(object)).toEqual(['A']);
    },
  );

  it('can be read by older nodes', () => {
    expect(SuperJSON.parse(serialize(plain()))).toEqual(plain());
  });

  it.each([paths([['nowhere']]), paths([['__proto__']]), paths([null, 5, ['list', 9]]), '"x"', 'null'])(
    'objects in any casing are not restored from invalid notes: %s',
    (anyCasing) => {
      const value = deserialize<object>(`{"json":{"list":[1]},"meta":{"anyCasing":${anyCasing}}}`);
      expect(value).toEqual({ list: [1] });
      expect(isInAnyCasing(Object.prototype)).toBe(false);
    },
  );
});
