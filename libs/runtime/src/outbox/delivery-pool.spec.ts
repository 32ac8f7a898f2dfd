import { expect, it } from '@jest/globals';
import type { OutboxMessage } from '../persistence/records.js';
import { DeliveryPool } from './delivery-pool.js';

interface Served {
  readonly id: string;
  readonly end: () => void;
}

function aLane(concurrency: number, mostAside: number) {
  const served: Served[] = [];
  let freed = 0;
  const serve = ({ id }: OutboxMessage) => new Promise<void>((end) => served.push({ id, end }));
  const pool = new DeliveryPool(
    concurrency,
    10,
    serve,
    () => undefined,
    mostAside,
    () => freed++,
  );
  const add = (...ids: string[]) => ids.forEach((id) => pool.add({ id } as OutboxMessage));
  return { pool, served, add, freed: () => freed };
}

it('a message that waits for something else lends its place, and nothing begins until there is one again', async () => {
  const { pool, served, add, freed } = aLane(2, 5);
  add('a', 'b', 'c', 'd');
  expect(served.map(({ id }) => id)).toEqual(['a', 'b']);
  let goOn = (): void => {};
  const aside = pool.whileAside(new Promise<void>((resolve) => (goOn = resolve)));
  expect(served.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
  expect([pool.held, pool.free, pool.room, freed(), pool.isIdle]).toEqual([3, 0, 6, 1, false]);
  goOn();
  await aside;
  expect(pool.held).toBe(4);
  served[0]!.end();
  await Promise.resolve().then(() => undefined);
  expect(served).toHaveLength(3);
  served[1]!.end();
  await new Promise((resolve) => setImmediate(resolve));
  expect(served.map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd']);
});

it('when too many wait aside, the others keep their places; what it waits for may fail', async () => {
  const { pool, served, add } = aLane(1, 1);
  add('a', 'b', 'c');
  let fail = (): void => {};
  const aside = pool.whileAside(new Promise<void>((_, reject) => (fail = () => reject(new Error('lost')))));
  expect(served).toHaveLength(2);
  const kept = pool.whileAside(Promise.resolve('kept'));
  expect([await kept, served.length]).toEqual(['kept', 2]);
  fail();
  await expect(aside).rejects.toThrow('lost');
  for (let i = 0; i < 3; i++) {
    served[i]!.end();
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect([served.length, pool.isIdle]).toEqual([3, true]);
});

it('lends places of messages that continue, up to four for each, and waits for their end', async () => {
  const { pool, served, add, freed } = aLane(1, 5);
  add('a', 'b', 'c', 'd', 'e', 'f', 'g');
  expect(served.map(({ id }) => id)).toEqual(['a']);
  expect(['a', 'b', 'c', 'd', 'e'].map((id) => pool.lend(id))).toEqual([true, true, true, true, false]);
  expect([served.map(({ id }) => id), freed()]).toEqual([['a', 'b', 'c', 'd', 'e'], 4]);
  expect(pool.giveUpWaiting().map(({ id }) => id)).toEqual(['f', 'g']);
  expect([pool.held, pool.free, pool.room, pool.isIdle]).toEqual([1, 0, 0, false]);
  // The end of one that has no place makes none; that of the other does.
  served[0]!.end();
  await new Promise((resolve) => setImmediate(resolve));
  expect([pool.held, pool.free, pool.room]).toEqual([1, 0, 0]);
  served[4]!.end();
  await new Promise((resolve) => setImmediate(resolve));
  expect([pool.held, pool.free, pool.room, pool.isIdle]).toEqual([0, 1, 10, false]);
  for (const { end } of served.slice(1, 4)) end();
  await new Promise((resolve) => setImmediate(resolve));
  expect(pool.isIdle).toBe(true);
});
