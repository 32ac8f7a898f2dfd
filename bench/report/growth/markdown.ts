import { curvesOf, type MeasuredDimension } from './curves.js';
import { describeTarget } from './judge.js';
import { cell, format, table, words } from './markdown-table.js';
import { summaryOf } from './summary.js';

/**
 * A table of all, at the smallest and the largest size of each; then, for each dimension, a table for each store with a line for
 * each metric and a column for each size. What misses its target is bold.
 */
export function markdownOf(dimensions: readonly MeasuredDimension[]): string {
  return `${['# Growth', summaryOf(dimensions), ...dimensions.map(section)].join('\n\n')}\n`;
}

function section(dimension: MeasuredDimension): string {
  const { name, description, measured } = dimension;
  const tables = measured.map(({ store, sizes }) => {
    const all = sizes.map(({ size }) => size);
    const metrics = Object.entries(dimension.metrics).flatMap(([metric, { unit, target }]) => {
      const curve = curvesOf(dimension, metric).find((one) => one.store === store);
      if (!curve) return [];
      const cells = all.map((size) => cell(curve.points.find((point) => point.size === size)));
      return [[`${words(metric)} (${unit})`, ...cells, target ? describeTarget(target, unit) : '']];
    });
    const head = [`${store}: ${dimension.unit}`, ...all.map(format), 'target'];
    return table([head, ...metrics]);
  });
  const conditions = measured.flatMap((one) => (one.conditions ? `Measured on ${one.store}: ${one.conditions}.` : []));
  return [`## ${name}`, description, `![${name}](${name}.svg)`, ...tables, ...conditions].join('\n\n');
}
