import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { RestoreWatch } from './restore-watch.js';

const SECOND = 1000;
const HOUR = 3600 * SECOND;

let now: number;
let watch: RestoreWatch;
let said: string[];

/** Looks every half second for so long, as nodes do. Returns how often everything was read. */
function look(counter: number, forMs: number): number {
  let rereads = 0;
  for (let passed = 0; passed < forMs; passed += SECOND / 2) {
    if (watch.see(counter) === 'reread') {
      rereads++;
      watch.hasReread();
    }
    now += SECOND / 2;
  }
  return rereads;
}

beforeEach(() => {
  now = 0;
  watch = new RestoreWatch({ monotonic: () => now });
  said = [];
  for (const level of ['warn', 'log'] as const)
    jest.spyOn(Logger.prototype, level).mockImplementation((text: string) => void said.push(text));
  look(7, SECOND);
});
afterEach(() => {
  jest.restoreAllMocks();
});

it('one answer of a replica that lags behind changes nothing', () => {
  for (let n = 0; n < 20; n++) {
    expect(watch.see(5)).toBe('doubtful');
    expect(watch.see(7)).toBe('usual');
  }
  expect(said).toEqual([]);
});

it('a database that has gone back is read again within a second, again and again, and a day later no more', () => {
  expect(watch.see(5)).toBe('doubtful');
  const rereads = look(5, HOUR);
  expect(rereads).toBeGreaterThan(60);
  expect(rereads).toBeLessThan(70);
  expect(look(6, 22 * HOUR)).toBeGreaterThan(22 * 59);
  expect(said).toEqual([expect.stringContaining('gone back to an earlier state')]);
  look(6, 2 * HOUR);
  expect(said.slice(1)).toEqual([expect.stringContaining('24 hours ago')]);
  expect(look(6, HOUR)).toBe(0);
  // As before: what the database had then does not count any more.
  expect(watch.see(5)).toBe('doubtful');
  expect(watch.see(5)).toBe('reread');
});

it('a day begins anew when it goes back further, as a restore that is repeated does', () => {
  look(5, 20 * HOUR);
  look(4, 20 * HOUR);
  expect(look(4, HOUR)).toBeGreaterThan(59);
  expect(said).toHaveLength(1);
});

it('a database that is again where it was is read once more, and then no more', () => {
  expect(look(5, 2 * SECOND)).toBe(2);
  expect(look(7, SECOND / 2)).toBe(1);
  expect(said).toEqual([expect.stringContaining('gone back'), expect.stringContaining('replicas that lag behind')]);
  expect(look(7, HOUR)).toBe(0);
  expect(look(8, HOUR)).toBe(0);
});

it('what could not be read is due again at once', () => {
  watch.see(5);
  for (let n = 0; n < 3; n++) expect(watch.see(5)).toBe('reread');
});
