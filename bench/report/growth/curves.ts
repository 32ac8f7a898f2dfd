import type { Metric } from '../../scenarios/growth/dimension.js';
import { judge, type Point, type Verdict } from './judge.js';

/** What one dimension cost on one store, smallest size first. */
export interface Measured {
  readonly store: string;
  /** When, and on which machine, as a line of text. Absent in files of earlier versions. */
  readonly conditions?: string;
  readonly sizes: readonly { readonly size: number; readonly values: Readonly<Record<string, number>> }[];
}

export interface MeasuredDimension {
  readonly name: string;
  readonly description: string;
  readonly unit: string;
  readonly metrics: Readonly<Record<string, Metric>>;
  readonly measured: readonly Measured[];
}

export interface JudgedPoint extends Point {
  readonly verdict: Verdict;
}

/** One metric on one store: those sizes that have the number. */
export interface Curve {
  readonly store: string;
  readonly points: readonly JudgedPoint[];
}

export function curvesOf({ measured, metrics }: MeasuredDimension, metric: string): Curve[] {
  return measured
    .map(({ store, sizes }) => {
      const points = sizes
        .filter(({ values }) => values[metric] !== undefined)
        .map(({ size, values }) => ({ size, value: values[metric]! }));
      const verdicts = judge(metrics[metric]?.target, points);
      return { store, points: points.map((point, i) => ({ ...point, verdict: verdicts[i] })) };
    })
    .filter(({ points }) => points.length > 0);
}
