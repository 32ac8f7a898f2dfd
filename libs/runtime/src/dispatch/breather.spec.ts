import { expect, it } from '@jest/globals';
import { Breather } from './breather.js';

/** Keeps the processor busy, without a turn of the event loop. */
function work(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

it('work that waits for microtasks only lets a timer have its turn before it has ended', async () => {
  const breather = new Breather();
  let hadItsTurn = 0;
  const timer = setInterval(() => hadItsTurn++, 1);
  for (let i = 0; i < 60; i++) {
    await breather.taken();
    work(1);
  }
  clearInterval(timer);
  expect(hadItsTurn).toBeGreaterThan(1);
});

it('work that is short waits for nothing', () => {
  const breather = new Breather();
  expect(breather.taken()).toBeUndefined();
  expect(breather.taken()).toBeUndefined();
});
