import { describe, expect, it } from '@jest/globals';
import { describeTarget, judge } from './judge.js';

const points = (values: Record<number, number>) =>
  Object.entries(values).map(([size, value]) => ({ size: Number(size), value }));

describe('the verdict on a curve of growth', () => {
  it('holds a limit at each size', () => {
    expect(judge({ atMost: 250 }, points({ 10: 100, 100: 251 }))).toEqual(['met', 'missed']);
    expect(judge({ atLeast: 80 }, points({ 10: 80, 100: 79 }))).toEqual(['met', 'missed']);
  });

  it('compares each size with the smallest one', () => {
    expect(judge({ times: 1.2 }, points({ 10: 10, 100: 12, 1000: 12.1 }))).toEqual([undefined, 'met', 'missed']);
  });

  it('counts a total with the same cost per unit as linear', () => {
    const linear = points({ 10: 50, 100: 500, 1000: 5900 });
    expect(judge({ perUnit: 1.2 }, linear)).toEqual([undefined, 'met', 'met']);
    expect(judge({ perUnit: 1.2 }, points({ 10: 50, 100: 5000 }))).toEqual([undefined, 'missed']);
  });

  it('compares a total that begins at a limit with the first size beyond it', () => {
    expect(judge({ perUnit: 1.2 }, points({ 10: 0, 100: 500, 1000: 5900 }))).toEqual([undefined, undefined, 'met']);
    expect(judge({ perUnit: 1.2 }, points({ 10: 0, 100: 500, 1000: 50_000 }))).toEqual([
      undefined,
      undefined,
      'missed',
    ]);
    expect(judge({ perUnit: 1.2 }, points({ 10: 0, 100: 0 }))).toEqual([undefined, undefined]);
  });

  it('asks memory to be flat from the stated size on only', () => {
    const heap = points({ 1000: 20, 10_000: 40, 100_000: 49 });
    expect(judge({ flatAbove: 10_000, times: 1.2 }, heap)).toEqual([undefined, undefined, 'missed']);
    expect(judge({ flatAbove: 10_000, times: 1.3 }, heap)).toEqual([undefined, undefined, 'met']);
    expect(judge({ flatAbove: 10_000, times: 1.2 }, points({ 10: 1, 100: 9 }))).toEqual([undefined, undefined]);
  });

  it('gives no verdict without a target', () => {
    expect(judge(undefined, points({ 10: 1 }))).toEqual([undefined]);
  });

  it('describes the target in words', () => {
    expect(describeTarget({ atMost: 250 }, 'ms')).toBe('<= 250 ms');
    expect(describeTarget({ flatAbove: 10_000, times: 1.2 }, 'MB')).toBe('flat: <= 1.2 x above 10,000');
  });
});
