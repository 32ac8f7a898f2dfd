import { expect, it } from '@jest/globals';
import type { OutboxMessage } from '../persistence/records.js';
import { DeliveryPool } from './delivery-pool.js';
import { HeldPlaces } from './held-places.js';

it('lends the places of messages that wait for an instance whose call never returns, where too many wait aside already', () => {
  let now = 0;
  const lent: string[] = [];
  const places = new HeldPlaces(
    () => now,
    (id) => lent.push(id),
  );
  const served: string[] = [];
  const never = new Promise<void>(() => undefined);
  const serve = ({ id }: OutboxMessage): Promise<void> => {
    served.push(id);
    places.take(id, pool);
    return places.whileAside(id, never);
  };
  const nothing = (): void => undefined;
  const pool: DeliveryPool = new DeliveryPool(1, 10, serve, nothing, 1, nothing);
  for (const id of ['aside', 'keeps its place', 'other']) pool.add({ id } as OutboxMessage);
  expect(served).toEqual(['aside', 'keeps its place']);

  now = 60_000;
  expect(places.lendLong(pool)).toBe(false);
  expect(served).toEqual(['aside', 'keeps its place', 'other']);
  expect(lent).toEqual(['keeps its place']);
  // Four are lent for each place that there is, and then none: what waits is for other nodes.
  for (const id of ['third', 'fourth', 'fifth', 'sixth']) pool.add({ id } as OutboxMessage);
  for (let n = 0; n < 3; n++) {
    now += 60_000;
    expect(places.lendLong(pool)).toBe(false);
  }
  now += 60_000;
  expect(places.lendLong(pool)).toBe(true);
  expect(served).toHaveLength(6);
});
