import { windowOf } from './lists.js';

describe('the window of a list', () => {
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
  ])('of %j is %j', (request, window) => expect(windowOf(request, 100)).toEqual(window));

  it('of a page without a size is everything where a list has no limit', () =>
    expect(windowOf({ page: 3 })).toBeUndefined());
});
