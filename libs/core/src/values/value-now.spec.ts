import { describe, expect, it } from '@jest/globals';
import { inAnyCasing, isInAnyCasing } from './any-casing.js';
import { unreadMemberOf, withUnreadMember } from './unread-member.js';
import { valueNow } from './value-now.js';

describe('a value as it is now', () => {
  it('is equal, and nothing that can change is shared with the original', () => {
    const value = {
      list: [1, { deep: 'x' }, undefined],
      map: new Map([[{ key: 1 }, new Set([new Date(1)])]]),
      nothing: null,
      ['__proto__']: { own: 1 },
    };
    const copy = valueNow(value);
    expect(copy).toEqual(value);
    expect(Object.keys(copy)).toEqual(Object.keys(value));
    (value.list[1] as { deep: string }).deep = 'changed';
    [...value.map.values()][0]!.clear();
    expect([(copy.list[1] as { deep: string }).deep, [...copy.map.values()][0]!.size]).toEqual(['x', 1]);
  });

  it('is read in any casing as before', () => {
    expect(isInAnyCasing(valueNow([inAnyCasing({ A: 1 })])[0]!)).toBe(true);
  });

  it('shares bytes, and files that were not read', () => {
    let reads = 0;
    const file = withUnreadMember({ name: 'a' }, 'content', () => new Uint8Array([++reads]));
    const bytes = new Uint8Array([1]);
    const copy = valueNow({ file, bytes });
    expect([copy.bytes === bytes, unreadMemberOf(copy.file), reads]).toEqual([true, 'content', 0]);
  });

  it('is the value itself where it is a list of too many empty places, which are not walked', () => {
    const sparse: unknown[] = [];
    sparse[2 ** 32 - 2] = 1;
    expect(valueNow({ sparse }).sparse === sparse).toBe(true);
  });

  it('is the value itself where it cannot be stored', () => {
    const circle: Record<string, unknown> = {};
    circle.self = [circle, circle];
    const broken = {
      get a(): never {
        throw new Error('broken');
      },
    };
    class Foreign {}
    const foreign = new Foreign();
    expect([valueNow(circle) === circle, valueNow(broken) === broken, valueNow([foreign])[0] === foreign]).toEqual([
      true,
      true,
      true,
    ]);
  });
});
