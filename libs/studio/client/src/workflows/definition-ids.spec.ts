import { ApiError } from '../api/api-error.js';
import { definitionIdFor, freeIds, storeNew } from './definition-ids.js';

const overtaken = () => new ApiError({ status: 412 });

describe('ids of definitions', () => {
  it.each([
    ['Leave request (2026)', 'leave-request-2026'],
    ['Žaliasis kelias', 'zaliasis-kelias'],
    ['  --  ', ''],
    ['订单', ''],
  ])('%s becomes %s', (name, id) => expect(definitionIdFor(name)).toBe(id));

  const idsBeside = (...known: string[]) => {
    const taken = new Set(known);
    return freeIds('a', (ids) => Promise.resolve(new Set(ids.filter((id) => taken.has(id)))));
  };
  const firstBeside = async (...known: string[]) => (await idsBeside(...known).next()).value;

  it('ids of definitions get a number when they are taken', async () => {
    expect(await firstBeside('a', 'a-2')).toBe('a-3');
    expect(await firstBeside('b')).toBe('a');
  });

  it('ids of definitions get a random end when all numbers that were looked for are taken', async () => {
    const known = Array.from({ length: 101 }, (_, index) => (index === 0 ? 'a' : `a-${index + 1}`));
    const first = await firstBeside(...known);
    expect(first).toMatch(/^a-[\da-f]{8}$/);
    expect(await firstBeside(...known)).not.toBe(first);
  });

  it('ids of definitions that another person takes meanwhile are passed over', async () => {
    const tried: string[] = [];
    const store = (id: string) => {
      tried.push(id);
      return id === 'a-3' ? Promise.resolve('stored') : Promise.reject(overtaken());
    };
    expect(await storeNew(idsBeside(), store)).toBe('stored');
    expect(tried).toEqual(['a', 'a-2', 'a-3']);
    await expect(storeNew(idsBeside(), () => Promise.reject(overtaken()))).rejects.toMatchObject({ status: 412 });
    await expect(storeNew(idsBeside(), () => Promise.reject(new ApiError({ status: 403 })))).rejects.toMatchObject({
      status: 403,
    });
  });
});
