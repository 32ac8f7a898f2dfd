const STEPS = [1, 2, 5] as const;

export interface LogScale {
  /** Where a value is drawn. @param value above zero */
  at(value: number): number;
  /** What the axis names: powers of ten, with 2 and 5 between them where there is room. */
  readonly ticks: readonly number[];
}

/**
 * A logarithmic axis around all values. It covers a factor of ten at least: what is flat must look flat.
 *
 * @param values above zero, at least one
 */
export function logScale(values: readonly number[], from: number, to: number): LogScale {
  let low = stepBelow(Math.min(...values));
  let high = stepAbove(Math.max(...values));
  while (high / low < 9.99) {
    if (high / Math.max(...values) <= Math.min(...values) / low) high = stepAbove(high * 1.01);
    else low = stepBelow(low * 0.99);
  }
  const isLong = Math.log10(high / low) > 2;
  // Where only powers of ten are named, both ends are named, too.
  if (isLong) {
    low = 10 ** Math.floor(Math.log10(low) + 1e-9);
    high = 10 ** Math.ceil(Math.log10(high) - 1e-9);
  }
  const length = Math.log10(high / low);
  return {
    at: (value) => from + ((to - from) * Math.log10(value / low)) / length,
    ticks: ticksBetween(low, high, isLong ? [1] : STEPS),
  };
}

function ticksBetween(low: number, high: number, steps: readonly number[]): number[] {
  const ticks: number[] = [];
  for (let power = Math.floor(Math.log10(low) + 1e-9); power <= Math.log10(high) + 1e-9; power++)
    for (const step of steps) {
      const tick = Number(`${step}e${power}`);
      if (tick >= low * 0.999 && tick <= high * 1.001) ticks.push(tick);
    }
  return ticks;
}

function stepBelow(value: number): number {
  const power = Math.floor(Math.log10(value));
  return Number(`${STEPS.findLast((step) => Number(`${step}e${power}`) <= value) ?? 1}e${power}`);
}

function stepAbove(value: number): number {
  const power = Math.floor(Math.log10(value));
  const step = STEPS.find((one) => Number(`${one}e${power}`) >= value);
  return step === undefined ? Number(`1e${power + 1}`) : Number(`${step}e${power}`);
}
