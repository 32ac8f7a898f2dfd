import { allPages } from './all-pages.js';

describe('a list in pages', () => {
  const list =
    (count: number, size: number, asked: number[] = []) =>
    (page: number) => {
      asked.push(page);
      const items = Array.from({ length: count }, (_, index) => ({ id: `v${count - index}` }));
      return Promise.resolve({ items: items.slice(page * size, (page + 1) * size), totalCount: count });
    };
  const idsOf = ({ items }: { readonly items: readonly { readonly id: string }[] }) => items.map(({ id }) => id);

  it('is read until there are no more', async () => {
    const asked: number[] = [];
    expect(idsOf(await allPages(list(5, 2, asked), 10))).toEqual(['v5', 'v4', 'v3', 'v2', 'v1']);
    expect(asked).toEqual([0, 1, 2]);
    expect(await allPages(list(0, 2), 10)).toEqual({ items: [], totalCount: 0 });
    expect(idsOf(await allPages(list(2, 2), 10))).toHaveLength(2);
  });

  it('has each item once, when one that is new moves them', async () => {
    let count = 4;
    const moving = (page: number) => list(count++, 2)(page);
    expect(idsOf(await allPages(moving, 10))).toEqual(['v4', 'v3', 'v2', 'v1']);
  });

  it('is read as far as it may be', async () => {
    expect(idsOf(await allPages(list(9, 2), 3))).toHaveLength(6);
    const endless = (page: number) =>
      Promise.resolve({ items: [{ id: `${page}` }], totalCount: 1, isTotalLowerBound: true as const });
    expect(idsOf(await allPages(endless, 4))).toHaveLength(4);
  });
});
