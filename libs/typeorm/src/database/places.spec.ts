import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Deadlines } from './deadlines.js';
import { type Errand, Places } from './places.js';

/** Places, and who got one in which order. */
function placesOf(size: number, patienceMs = 200) {
  const places = new Places(size, new Deadlines(80));
  const inside: string[] = [];
  const failed: string[] = [];
  const enter = (errand: Errand, name: string = errand): void => {
    const waiting = places.enter(
      errand,
      () => patienceMs,
      () => new Error('late'),
    );
    if (!waiting) inside.push(name);
    else
      waiting.then(
        () => inside.push(name),
        (error: Error) => failed.push(`${name} ${error.message}`),
      );
  };
  const enterMany = (errand: Errand, count: number) => Array.from({ length: count }, () => enter(errand));
  return { places, inside, failed, enter, enterMany };
}

const turn = () => Promise.resolve().then(() => {});

describe('places in front of a pool', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('places in front of a pool are as many as the pool has connections', async () => {
    const { places, inside, enterMany } = placesOf(4);
    enterMany('read', 6);
    expect(inside).toHaveLength(4);
    places.leave('read');
    await turn();
    expect(inside).toHaveLength(5);
  });

  it.each([
    [1, { read: 1, shared: 1, write: 1, locked: 1 }],
    [2, { read: 2, shared: 2, write: 1, locked: 1 }],
    [10, { read: 10, shared: 9, write: 7, locked: 2 }],
  ])('places in front of a pool are kept free from those that may wait for locks, of %i', (size, most) => {
    for (const errand of ['read', 'shared', 'write', 'locked'] as const) {
      const { inside, enterMany } = placesOf(size);
      enterMany(errand, 20);
      expect([errand, inside.length]).toEqual([errand, most[errand]]);
    }
  });

  it('places in front of a pool go to the one that has waited for the longest, of those for whom there is one', async () => {
    const { places, inside, enter, enterMany } = placesOf(4);
    enterMany('read', 3);
    enter('write', 'first write');
    enter('write', 'second write');
    enter('read', 'late read');
    places.leave('read');
    await turn();
    expect(inside.slice(3)).toEqual(['first write', 'late read']);
    places.leave('write');
    await turn();
    expect(inside.slice(5)).toEqual(['second write']);
  });

  it('callers wait for a connection no longer than the patience of the store', async () => {
    const { inside, failed, enter } = placesOf(1);
    enter('read', 'holder');
    enter('read', 'waiter');
    await jest.advanceTimersByTimeAsync(150);
    expect(failed).toEqual([]);
    await jest.advanceTimersByTimeAsync(100);
    expect([inside, failed]).toEqual([['holder'], ['waiter late']]);
  });

  it('shrink to what the server takes, and grow again by one from time to time', async () => {
    const { places, inside, enterMany } = placesOf(10, 60_000);
    enterMany('read', 20);
    // Each of seven hears that the server is full, and gives its place back.
    for (let n = 0; n < 7; n++) {
      places.shrink(3);
      places.leave('read');
    }
    await turn();
    expect([inside.length, places.total]).toEqual([10, 3]);
    await jest.advanceTimersByTimeAsync(50);
    places.leave('read');
    await turn();
    expect([inside.length, places.total]).toEqual([11, 3]);
    await jest.advanceTimersByTimeAsync(500);
    places.leave('read');
    await turn();
    expect([inside.length, places.total]).toEqual([13, 4]);
  });

  it('places in front of a pool grow for those that wait, also when the others keep theirs', async () => {
    const { places, inside, enter, enterMany } = placesOf(4, 60_000);
    enter('write', 'slow');
    enterMany('read', 3);
    for (let n = 0; n < 3; n++) {
      places.shrink(1);
      places.leave('read');
    }
    enterMany('read', 5);
    await turn();
    expect(inside).toHaveLength(4);
    await jest.advanceTimersByTimeAsync(600);
    expect(inside).toHaveLength(5);
    await jest.advanceTimersByTimeAsync(1200);
    expect([inside.length, places.total]).toEqual([7, 4]);
  });

  it('places in front of a pool refuse all waiting callers when the pool closes', async () => {
    const { places, failed, enter } = placesOf(1);
    enter('read');
    enter('write', 'waiter');
    places.refuse(new Error('closed'));
    await turn();
    expect(failed).toEqual(['waiter closed']);
  });
});
