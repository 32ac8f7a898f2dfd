import type { Measured, MeasuredDimension } from './curves.js';
import { STORES } from './markdown-table.js';

/**
 * One report of several runs, such as one of each database: for each dimension, what each store cost. What was measured in more
 * than one of them is that of the last one. Descriptions, units and targets are those of the last one, too.
 */
export function joined(runs: readonly (readonly MeasuredDimension[])[]): MeasuredDimension[] {
  const dimensions = new Map<string, MeasuredDimension>();
  for (const dimension of runs.flat()) {
    const measured = new Map<string, Measured>();
    for (const one of [...(dimensions.get(dimension.name)?.measured ?? []), ...dimension.measured])
      measured.set(one.store, one);
    const inOrder = [...measured.values()].toSorted((a, b) => STORES.indexOf(a.store) - STORES.indexOf(b.store));
    dimensions.set(dimension.name, { ...dimension, measured: inOrder });
  }
  return [...dimensions.values()];
}
