import { curvesOf, type JudgedPoint, type MeasuredDimension } from './curves.js';
import { cell, format, STORES, table, words } from './markdown-table.js';

/**
 * One table of all dimensions: what each metric that is drawn was at the smallest and at the largest size, in a column for each
 * store. For pages that say how an installation grows.
 */
export function summaryOf(dimensions: readonly MeasuredDimension[]): string {
  const isMeasured = (store: string) => dimensions.some(({ measured }) => measured.some((one) => one.store === store));
  const stores = STORES.filter(isMeasured);
  return table([['', ...stores], ...dimensions.flatMap((dimension) => rowsOf(dimension, stores))]);
}

function rowsOf(dimension: MeasuredDimension, stores: readonly string[]): string[][] {
  const sizes = stores.map((store) => {
    const all = dimension.measured.find((one) => one.store === store)?.sizes.map(({ size }) => size) ?? [];
    return ends(all.map(format));
  });
  const metrics = Object.entries(dimension.metrics).flatMap(
    ([metric, { unit, target, isDrawn = target !== undefined }]) => {
      const curves = curvesOf(dimension, metric);
      if (!isDrawn || curves.length === 0) return [];
      const cells = stores.map((store) => ends(pointsOf(curves, store).map(cell)));
      return [[`${words(metric)} (${unit})`, ...cells]];
    },
  );
  return [[`**${dimension.name}**: ${dimension.unit}`, ...sizes], ...metrics];
}

function pointsOf(curves: ReturnType<typeof curvesOf>, store: string): readonly JudgedPoint[] {
  return curves.find((one) => one.store === store)?.points ?? [];
}

/** The first and the last of them. */
function ends(texts: readonly string[]): string {
  if (texts.length < 2) return texts[0] ?? '';
  return `${texts[0]} → ${texts.at(-1)}`;
}
