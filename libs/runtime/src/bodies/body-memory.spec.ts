import { getHeapStatistics } from 'node:v8';
import { describe, expect, it } from '@jest/globals';
import { BodyMemory, bodyWeight } from './body-memory.js';

const MB = 1_000_000;
const held = (memory: BodyMemory, bytes: number, weight = 1) => {
  const claim = memory.claim(weight);
  claim.hold(bytes);
  return claim;
};
const refused = expect.objectContaining({ code: 'WM5069', retryAfterSeconds: 1 }) as unknown as Error;

describe('memory of bodies', () => {
  it('the memory for bodies is a quarter of the heap by default', () => {
    expect(new BodyMemory().limitBytes).toBe(Math.floor(getHeapStatistics().heap_size_limit / 4));
  });

  it('refuses what does not fit, and takes it once others have ended', () => {
    const memory = new BodyMemory(8 * MB);
    const first = held(memory, 3 * MB);
    held(memory, 3 * MB);
    const third = memory.claim(1);
    expect(() => third.hold(3 * MB)).toThrow(refused);
    expect(memory.heldBytes).toBe(6 * MB);
    first.release();
    third.hold(3 * MB);
    expect(memory.heldBytes).toBe(6 * MB);
  });

  it('counts by weight, as bytes arrive, and each of them once', () => {
    const memory = new BodyMemory(8 * MB);
    const claim = memory.claim(6);
    for (const bytes of [1, 65_536, 65_537, 500_000, 400_000]) claim.hold(bytes);
    expect(memory.heldBytes).toBe(3 * MB);
    claim.release();
    claim.release();
    claim.hold(1);
    expect(memory.heldBytes).toBe(0);
  });

  it('is not held for bytes that are announced and do not arrive', () => {
    const memory = new BodyMemory(8 * MB);
    const idle = Array.from({ length: 100 }, () => memory.claim(1));
    for (const claim of idle) claim.expect(5 * MB);
    expect(memory.heldBytes).toBe(0);
    idle[0]!.hold(3 * MB);
    idle[1]!.hold(2 * MB);
    expect(() => idle[2]!.expect(5 * MB)).toThrow(refused);
    expect(memory.heldBytes).toBe(5 * MB);
  });

  it('is released for a body that did not fit', () => {
    const memory = new BodyMemory(8 * MB);
    held(memory, 3 * MB);
    const other = held(memory, 2 * MB);
    expect(() => other.hold(4 * MB)).toThrow(refused);
    expect(memory.heldBytes).toBe(3 * MB);
  });

  it('accepts a single large body of any size, and small ones beside it', () => {
    const memory = new BodyMemory(2 * MB);
    const large = held(memory, 10 * MB);
    large.hold(20 * MB);
    expect(() => held(memory, 100_000)).toThrow(refused);
    const small = Array.from({ length: 5 }, () => held(memory, 65_536));
    expect(memory.heldBytes).toBe(20 * MB + 5 * 65_536);
    expect(() => Array.from({ length: 5 }, () => held(memory, 65_536))).toThrow(refused);
    small[0]!.release();
  });

  it('weights bodies whose values take more memory than their bytes', () => {
    const types = ['application/vnd.a+json', 'application/x-www-form-urlencoded', 'text/plain', 'image/png', undefined];
    expect(types.map(bodyWeight)).toEqual([6, 6, 4, 3, 3]);
  });
});
