import { windowOf } from './lists.js';

describe('a list', () => {
  it.each([
    [
      { page: 2, pageSize: 10 },
      { skip: 20, take: 10 },
    ],
    [{ pageSize: 10 }, { skip: 0, take: 10 }],
    [{ page: 1 }, { skip: 0, take: 100 }],
    [{}, { skip: 0, take: 100 }],
    [
      { page: 1, skip: 5 },
      { skip: 5, take: 100 },
    ],
  ])('answers %j with the window %j', (request, window) => expect(windowOf(request, 100)).toEqual(window));

  it('answers everything for a page without a size, where it has no limit', () =>
    expect(windowOf({ page: 3 })).toBeUndefined());
});
