import { expect, it } from '@jest/globals';
import { Breather } from './breather.js';

it('work that waits for microtasks only lets others have their turn before it has ended', async () => {
  let now = 0;
  const breather = new Breather(() => now);
  let turns = 0;
  const turn = () => void (turns++, (next = setImmediate(turn)));
  let next = setImmediate(turn);
  for (let i = 0; i < 60; i++) {
    await breather.taken();
    now += 1;
  }
  clearImmediate(next);
  // 60 ms of work, of which no 10 are in one turn.
  expect(turns).toBeGreaterThanOrEqual(5);
});

it('works that wait at the same time go on one by one, with a turn for others between them', async () => {
  let now = 0;
  const breather = new Breather(() => now);
  let turns = 0;
  const turn = () => void (turns++, (next = setImmediate(turn)));
  let next = setImmediate(turn);
  const before: number[] = [];
  void breather.turn();
  now += 15;
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      await breather.turn();
      before.push(turns);
      now += 15;
    }),
  );
  clearImmediate(next);
  expect(new Set(before).size).toBe(4);
});

it('work that is short waits for nothing', () => {
  let now = 0;
  const breather = new Breather(() => now);
  expect(breather.taken()).toBeUndefined();
  now += 9;
  expect(breather.taken()).toBeUndefined();
  now += 1;
  expect(breather.taken()).toBeInstanceOf(Promise);
});
