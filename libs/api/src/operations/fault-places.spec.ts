import { describe, expect, it } from '@jest/globals';
import type { WorkflowPersistence } from '@waymark/runtime';
import { VirtualClock } from '@waymark/testing';
import { FaultedInstances } from './fault-places.js';
import { roughSize } from './rough-size.js';

const MB = 1_000_000;

/** A store with so many faulted instances of each definition, whose states have such a size. */
function storeOf(count: number, size: number) {
  const text = 'x'.repeat(size);
  const seen = { loads: 0, atOnce: 0, most: 0, isBroken: false };
  const instances = {
    findMany: async () => ({ items: Array.from({ length: count }, (_, id) => ({ id: `${id}` })) }),
    load: async () => {
      seen.loads++;
      seen.most = Math.max(seen.most, ++seen.atOnce);
      await Promise.resolve();
      seen.atOnce--;
      if (seen.isBroken) throw new Error('gone');
      const incidents = [{ activityNodeId: 'A', timestamp: new Date(0) }];
      return { subStatus: 'Faulted', definitionVersionId: 'v', version: 1, state: { incidents, output: { text } } };
    },
  };
  const clock = new VirtualClock();
  const faulted = new FaultedInstances({ instances } as unknown as WorkflowPersistence, clock);
  return { faulted, clock, seen };
}

describe('where faulted instances failed', () => {
  it('is read once for all requests, and again after five seconds', async () => {
    const { faulted, clock, seen } = storeOf(3, 10);
    const answers = await Promise.all(Array.from({ length: 60 }, () => faulted.of('a')));
    expect(new Set(answers).size).toBe(1);
    expect(answers[0]).toMatchObject({ isComplete: true, places: [{ activityNodeId: 'A', instances: 3 }] });
    await faulted.of('a');
    expect(seen.loads).toBe(3);
    await clock.advance(5000);
    await faulted.of('a');
    expect(seen.loads).toBe(6);
  });

  it('is read one definition after the other', async () => {
    const { faulted, seen } = storeOf(3, 10);
    await Promise.all(['a', 'b', 'c', 'd'].map((id) => faulted.of(id)));
    expect(seen).toMatchObject({ loads: 12, most: 1 });
  });

  it('ends after 8 MB of states, or a hundred states', async () => {
    const large = storeOf(100, 3 * MB);
    expect(await large.faulted.of('a')).toMatchObject({ isComplete: false, places: [{ instances: 3 }] });
    expect(large.seen.loads).toBe(3);
    const many = storeOf(101, 10);
    expect(await many.faulted.of('a')).toMatchObject({ isComplete: false, places: [{ instances: 100 }] });
    expect(await storeOf(100, 10).faulted.of('a')).toMatchObject({ isComplete: true });
  });

  it('is read again after a failure', async () => {
    const { faulted, seen } = storeOf(1, 10);
    seen.isBroken = true;
    await expect(faulted.of('a')).rejects.toThrow('gone');
    seen.isBroken = false;
    expect(await faulted.of('a')).toMatchObject({ isComplete: true });
  });
});

it('estimates the length of the JSON, up to the limit', () => {
  const value = { a: ['text', 1], b: new Map([['c', 'x'.repeat(100)]]), d: new Uint8Array(50) };
  expect(roughSize(value, MB)).toBeGreaterThan(150);
  expect(roughSize(value, MB)).toBeLessThan(250);
  const endless: unknown[] = [];
  endless.push(endless, endless);
  expect(roughSize(endless, 1000)).toBeLessThan(2000);
});
