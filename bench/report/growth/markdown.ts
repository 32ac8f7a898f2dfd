import { curvesOf, type JudgedPoint, type MeasuredDimension } from './curves.js';
import { describeTarget } from './judge.js';

/** A table for each store: a line for each metric, a column for each size. What misses its target is bold. */
export function markdownOf(dimensions: readonly MeasuredDimension[]): string {
  return `${['# Growth', ...dimensions.map(section)].join('\n\n')}\n`;
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
  return [`## ${name}`, description, `![${name}](${name}.svg)`, ...tables].join('\n\n');
}

function table([head, ...rows]: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const rule = head!.map((_, i) => (i === 0 || i === head!.length - 1 ? '---' : '---:'));
  return [line(head!), line(rule), ...rows.map(line)].join('\n');
}

function cell(point: JudgedPoint | undefined): string {
  if (!point) return '';
  const text = format(point.value);
  return point.verdict === 'missed' ? `**${text}**` : text;
}

export function format(value: number): string {
  return value.toLocaleString('en', { maximumSignificantDigits: value < 100 ? 3 : 4 });
}

export function words(metric: string): string {
  return metric.replaceAll('_', ' ');
}
