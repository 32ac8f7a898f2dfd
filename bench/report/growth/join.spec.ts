import { describe, expect, it } from '@jest/globals';
import { chartOf } from './chart.js';
import type { MeasuredDimension } from './curves.js';
import { joined } from './join.js';
import { markdownOf } from './markdown.js';

const run = (name: string, store: string, rate: number, conditions?: string): MeasuredDimension => ({
  name,
  description: `${name} of ${rate}`,
  unit: 'starts',
  metrics: { rate: { unit: '/s', isDrawn: true } },
  measured: [{ store, conditions, sizes: [{ size: 10, values: { rate } }] }],
});

describe('several runs as one report', () => {
  it('has each dimension once, with all stores in their order', () => {
    const all = joined([
      [run('backlog', 'postgres', 1), run('lists', 'postgres', 2)],
      [run('backlog', 'sqlite', 3)],
      [run('backlog', 'mariadb', 4)],
    ]);
    expect(all.map(({ name, measured }) => [name, ...measured.map(({ store }) => store)])).toEqual([
      ['backlog', 'sqlite', 'mariadb', 'postgres'],
      ['lists', 'postgres'],
    ]);
    expect(chartOf(all[0]!).match(/class="curve (sqlite|mariadb|postgres)" points/g)).toHaveLength(3);
  });

  it('has the numbers of the last run of a store', () => {
    const [backlog] = joined([[run('backlog', 'sqlite', 1)], [run('backlog', 'sqlite', 2)]]);
    expect([backlog!.description, backlog!.measured[0]!.sizes[0]!.values]).toEqual(['backlog of 2', { rate: 2 }]);
  });

  it('states the conditions of each measurement', () => {
    const lines = markdownOf(
      joined([[run('backlog', 'sqlite', 1, 'Node 22, load 0.1')], [run('backlog', 'postgres', 1)]]),
    ).split('\n');
    expect(lines.filter((line) => line.startsWith('Measured'))).toEqual(['Measured on sqlite: Node 22, load 0.1.']);
  });

  it('several runs as one report begin with one table of all dimensions, from the smallest to the largest size', () => {
    const grown = run('backlog', 'sqlite', 1);
    const sizes = [...grown.measured[0]!.sizes, { size: 1000, values: { rate: 2 } }];
    const all = joined([[{ ...grown, measured: [{ store: 'sqlite', sizes }] }], [run('backlog', 'postgres', 3)]]);
    expect(markdownOf(all).split('\n').slice(2, 6)).toEqual([
      '|  | sqlite | postgres |',
      '| --- | ---: | ---: |',
      '| **backlog**: starts | 10 → 1,000 | 10 |',
      '| rate (/s) | 1 → 2 | 3 |',
    ]);
  });
});
