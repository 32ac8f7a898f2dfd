import { describe, expect, it } from '@jest/globals';
import { BoundedMemory } from './bounded-memory.js';

const PAGES_OF_MB = 16;
/** What Emscripten does when `malloc` finds no room for a little more. */
function isGranted({ memory }: BoundedMemory): boolean {
  const pages = memory.buffer.byteLength / 65_536;
  for (const share of [0.2, 0.1, 0.05])
    try {
      memory.grow(Math.ceil(pages * share));
      return true;
    } catch {
      continue;
    }
  return false;
}
const megabytes = ({ memory }: BoundedMemory): number => memory.buffer.byteLength / 65_536 / PAGES_OF_MB;

describe('BoundedMemory', () => {
  it('grows up to five eighths without a warning', () => {
    const memory = new BoundedMemory(64);
    expect(memory.hasGrown).toBe(false);
    memory.memory.grow(24 * PAGES_OF_MB);
    expect([memory.hasGrown, memory.usesReserve, memory.isSpent, megabytes(memory)]).toEqual([true, false, false, 40]);
  });

  it('warns beyond, refuses once, and has a reserve for the error after that', () => {
    const memory = new BoundedMemory(64);
    const granted: number[] = [];
    while (isGranted(memory)) granted.push(megabytes(memory));
    expect(memory.usesReserve).toBe(true);
    expect(granted.at(-1)).toBeGreaterThan(40);
    expect(granted.at(-1)).toBeLessThanOrEqual(56);
    expect(isGranted(memory)).toBe(true);
    expect(megabytes(memory)).toBeGreaterThan(granted.at(-1)!);
    while (isGranted(memory));
    expect(megabytes(memory)).toBeLessThanOrEqual(64);
  });

  it('refuses what never fits without ending the script', () => {
    const memory = new BoundedMemory(64);
    for (let attempt = 0; attempt < 3; attempt++)
      expect(() => memory.memory.grow(1000 * PAGES_OF_MB)).toThrow(RangeError);
    expect([memory.usesReserve, memory.isSpent, megabytes(memory)]).toEqual([false, false, 16]);
  });

  it('gives the next script its warning again', () => {
    const memory = new BoundedMemory(64);
    while (isGranted(memory));
    memory.reset();
    expect(memory.usesReserve).toBe(false);
    expect(memory.isSpent).toBe(true);
    expect(isGranted(memory)).toBe(false);
  });
});
