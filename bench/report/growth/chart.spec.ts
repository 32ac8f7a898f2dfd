import { describe, expect, it } from '@jest/globals';
import { chartOf } from './chart.js';
import type { MeasuredDimension } from './curves.js';
import { logScale } from './log-scale.js';
import { markdownOf } from './markdown.js';

const dimension = (...values: number[]): MeasuredDimension => ({
  name: 'backlog',
  description: 'What was left is served.',
  unit: 'waiting <starts>',
  metrics: {
    rate: { unit: '/s', isDrawn: true },
    in_all: { unit: 'ms' },
    health_p99: { unit: 'ms', target: { atMost: 250 } },
  },
  measured: [
    {
      store: 'postgres',
      sizes: values.map((value, i) => ({ size: 10 ** (i + 1), values: { rate: value, in_all: 5, health_p99: 300 } })),
    },
  ],
});

describe('a logarithmic axis', () => {
  it('gives each factor of ten the same room', () => {
    const { at } = logScale([10, 1000], 0, 200);
    expect([at(10), at(100), at(1000)].map(Math.round)).toEqual([0, 100, 200]);
  });

  it('covers a factor of ten for values that are nearly the same', () => {
    const { ticks } = logScale([98, 104], 0, 100);
    expect(ticks.at(-1)! / ticks[0]!).toBeGreaterThanOrEqual(10);
  });

  it('names powers of ten only where many are covered', () => {
    expect(logScale([1, 10_000], 0, 100).ticks).toEqual([1, 10, 100, 1000, 10_000]);
    expect(logScale([200, 60_000], 0, 100).ticks).toEqual([100, 1000, 10_000, 100_000]);
    expect(logScale([0.01, 0.1], 0, 100).ticks).toEqual([0.01, 0.02, 0.05, 0.1]);
  });
});

describe('the chart of a dimension', () => {
  it('draws a line for each store in the panel of each metric that is drawn', () => {
    const svg = chartOf(dimension(100, 200, 300));
    expect(svg.match(/<polyline/g)).toHaveLength(2);
    expect(svg).toContain('>rate (/s)<');
    expect(svg).not.toContain('>in all (ms)<');
    expect(svg).toContain('waiting &lt;starts&gt;');
  });

  it('draws an earlier run as a dashed line beside it', () => {
    expect(chartOf(dimension(100, 200), dimension(10, 20)).match(/class="curve postgres before"/g)).toHaveLength(2);
  });

  it('leaves out values that a logarithmic axis cannot show', () => {
    const [, points] = /<polyline class="curve postgres" points="([^"]*)"/.exec(chartOf(dimension(0, 10, 20)))!;
    expect(points!.split(' ')).toHaveLength(2);
  });
});

describe('the table of a dimension', () => {
  it('has a column for each size, and shows missed targets in bold', () => {
    const lines = markdownOf([dimension(100, 2000)]).split('\n');
    expect(lines).toContain('| postgres: waiting <starts> | 10 | 100 | target |');
    expect(lines).toContain('| rate (/s) | 100 | 2,000 |  |');
    expect(lines).toContain('| health p99 (ms) | **300** | **300** | <= 250 ms |');
  });
});
