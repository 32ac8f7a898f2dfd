/**
 * What a metric is to be.
 * - `atMost`, `atLeast`: at each size.
 * - `times`: at each size, at most so many times what it is at the smallest.
 * - `perUnit`: linear. A number that is a total, divided by the size, at the largest at most so many times what it is at the smallest
 *   size at which it is not zero: what begins at a limit, as large values do, says nothing below it.
 * - `flatAbove`: at each size above that, at most `times` what it is at the first size of at least that.
 */
export type Target =
  | { readonly atMost: number }
  | { readonly atLeast: number }
  | { readonly times: number }
  | { readonly perUnit: number }
  | { readonly flatAbove: number; readonly times: number };

/** One metric of one dimension at one size. */
export interface Point {
  readonly size: number;
  readonly value: number;
}

/** `undefined`: there is nothing to compare it with. */
export type Verdict = 'met' | 'missed' | undefined;

/** For each point, in the order in which they are given: smallest size first. */
export function judge(target: Target | undefined, points: readonly Point[]): Verdict[] {
  if (!target) return points.map(() => undefined);
  if ('atMost' in target) return points.map(({ value }) => verdict(value <= target.atMost));
  if ('atLeast' in target) return points.map(({ value }) => verdict(value >= target.atLeast));
  if ('perUnit' in target) {
    const isThere = ({ value }: Point): boolean => value > 0;
    return againstFirst(points, target.perUnit, ({ size, value }) => value / size, isThere);
  }
  if (!('flatAbove' in target)) return againstFirst(points, target.times, ({ value }) => value);
  return againstFirst(
    points,
    target.times,
    ({ value }) => value,
    ({ size }) => size >= target.flatAbove,
  );
}

/** @param isFirst the first point for which it is true is what those behind it are compared with */
function againstFirst(
  points: readonly Point[],
  times: number,
  of: (point: Point) => number,
  isFirst: (point: Point) => boolean = () => true,
): Verdict[] {
  const from = points.findIndex(isFirst);
  return points.map((point, i) =>
    from < 0 || i <= from ? undefined : verdict(of(point) <= of(points[from]!) * times),
  );
}

function verdict(isMet: boolean): Verdict {
  return isMet ? 'met' : 'missed';
}

/** As it stands beside the numbers. */
export function describeTarget(target: Target, unit: string): string {
  const number = (value: number): string => value.toLocaleString('en');
  if ('atMost' in target) return `<= ${number(target.atMost)} ${unit}`;
  if ('atLeast' in target) return `>= ${number(target.atLeast)} ${unit}`;
  if ('perUnit' in target) return `linear: per unit <= ${number(target.perUnit)} x the smallest`;
  if ('flatAbove' in target) return `flat: <= ${number(target.times)} x above ${number(target.flatAbove)}`;
  return `<= ${number(target.times)} x the smallest`;
}
