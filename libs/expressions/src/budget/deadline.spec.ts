import { afterEach, expect, it, jest } from '@jest/globals';
import { Deadline } from './deadline.js';

/** The clock of the wall, and that of the processor. */
function clocks(): { wall: number; cpu: number } {
  const at = { wall: 0, cpu: 0 };
  jest.spyOn(performance, 'now').mockImplementation(() => at.wall);
  jest.spyOn(process, 'cpuUsage').mockImplementation((since) => ({
    user: at.cpu * 1000 - (since?.user ?? 0),
    system: 0,
  }));
  return at;
}
afterEach(() => {
  jest.restoreAllMocks();
});

it('is over when the time was spent', () => {
  const at = clocks();
  const deadline = new Deadline(100);
  for (at.wall = 0; at.wall <= 90; at.wall += 10) {
    at.cpu = at.wall;
    expect(deadline.isOver()).toBe(false);
  }
  at.wall = at.cpu = 101;
  expect(deadline.isOver()).toBe(true);
});

it('waits for a process that was starved, up to a limit', () => {
  const at = clocks();
  const deadline = new Deadline(100);
  at.wall = 30;
  at.cpu = 5;
  expect(deadline.isOver()).toBe(false);
  at.wall = 350;
  at.cpu = 50;
  expect(deadline.isOver()).toBe(false);
  at.wall = 401;
  expect(deadline.isOver()).toBe(true);
});

it('begins when it is started', () => {
  const at = clocks();
  at.wall = 1000;
  at.cpu = 1000;
  expect(new Deadline(100, 100).isOver()).toBe(true);
});
