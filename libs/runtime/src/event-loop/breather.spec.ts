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

it('work that is short waits for nothing', () => {
  let now = 0;
  const breather = new Breather(() => now);
  expect(breather.taken()).toBeUndefined();
  now += 9;
  expect(breather.taken()).toBeUndefined();
  now += 1;
  expect(breather.taken()).toBeInstanceOf(Promise);
});
