import { cpus, loadavg } from 'node:os';
import type { MeasuredDimension, Measured } from '../../report/growth/curves.js';
import { curvesOf } from '../../report/growth/curves.js';
import { describeTarget } from '../../report/growth/judge.js';
import { readGrowth, writeGrowth } from '../../report/growth/write-growth.js';
import type { Bench } from '../scenario.js';
import { attempt } from '../scenario.js';
import { DATABASES, type Dimension, type StoreName, type Values } from './dimension.js';
import { dimensions } from './dimensions.js';
import { Place } from './place.js';

const SCENARIO = 'growth';

/** Each dimension at its sizes on its stores; then a curve and a table of each. */
export async function growth(bench: Bench): Promise<void> {
  const { options } = bench;
  const unknown = options.dimensions.filter((name) => !dimensions.some((dimension) => dimension.name === name));
  if (unknown.length > 0)
    throw new TypeError(
      `Unknown dimension '${unknown[0]}'. Choose among: ${dimensions.map(({ name }) => name).join(', ')}.`,
    );
  const chosen = dimensions.filter(({ name }) => !options.dimensions.length || options.dimensions.includes(name));
  const before = options.before === undefined ? [] : await readGrowth(options.before);
  const done: MeasuredDimension[] = [];
  for (const dimension of chosen) {
    const { name, description, unit, metrics } = dimension;
    const measured: Measured[] = [];
    for (const store of storesOf(dimension, bench)) {
      const one = await measure(bench, dimension, store);
      if (one.sizes.length > 0) measured.push(one);
    }
    const all = { name, description, unit, metrics, measured };
    tell(bench, all);
    done.push(all);
    // After each: a run that is stopped leaves what it has measured.
    await writeGrowth(options.output, done, before);
  }
  bench.report.progress(`${SCENARIO}: curves and tables are in ${options.output}`);
}

function storesOf({ databases = DATABASES }: Dimension, { options }: Bench): StoreName[] {
  return databases.filter((name) => name === 'memory' || options.databases.includes(name));
}

/** A size that fails is reported, and the others are measured all the same. */
async function measure(bench: Bench, dimension: Dimension, store: StoreName): Promise<Measured> {
  const { options, report } = bench;
  const conditions = conditionsNow();
  const sizes: { size: number; values: Values }[] = [];
  const chosen = options.sizes ?? (options.isQuick ? dimension.sizes.slice(0, 1) : dimension.sizes);
  const variant = `${dimension.name}, ${store}`;
  if ('runInTurns' in dimension)
    await attempt(bench, SCENARIO, variant, () =>
      withPlaces(bench, variant, store, chosen, async (places) => {
        report.progress(`${SCENARIO}: ${variant}, ${chosen.join(', ')}`);
        const values = await dimension.runInTurns(places);
        for (const [i, size] of chosen.entries()) sizes.push({ size, values: values[i]! });
      }),
    );
  else
    for (const size of chosen)
      await attempt(bench, SCENARIO, `${variant}, ${size}`, () =>
        withPlaces(bench, variant, store, [size], async ([place]) => {
          report.progress(`${SCENARIO}: ${variant}, ${size.toLocaleString('en')} ${dimension.unit}`);
          sizes.push({ size, values: await dimension.run(place!) });
        }),
      );
  return { store, conditions, sizes };
}

/** Before a store is measured: the load is that of other jobs on the machine. */
function conditionsNow(): string {
  const date = new Date().toISOString().slice(0, 10);
  return `${date}, Node ${process.version.slice(1)}, ${cpus().length} processors, load before ${loadavg()[0]!.toFixed(1)}`;
}

/** Fresh tables for each size; none where the database does not answer. */
async function withPlaces(
  { options, report, databases }: Bench,
  variant: string,
  store: StoreName,
  sizes: readonly number[],
  task: (places: readonly Place[]) => Promise<void>,
): Promise<void> {
  const places: Place[] = [];
  for (const size of sizes) {
    const database = databases.fresh().find(({ name }) => name === store);
    if (store !== 'memory' && !database) return;
    const progress = (text: string): void => report.progress(`${SCENARIO}: ${variant}, ${size}: ${text}`);
    places.push(new Place(size, store, database, options, progress));
  }
  try {
    await task(places);
  } finally {
    await Promise.all(places.map((place) => place.stopNodes()));
  }
}

function tell({ report }: Bench, dimension: MeasuredDimension): void {
  for (const [metric, { unit, target }] of Object.entries(dimension.metrics))
    for (const { store, points } of curvesOf(dimension, metric))
      for (const { size, value, verdict } of points)
        report.judged({
          scenario: SCENARIO,
          variant: `${dimension.name}, ${store}, ${size.toLocaleString('en')} ${dimension.unit}`,
          metric,
          unit,
          value,
          target: target && describeTarget(target, unit),
          verdict,
        });
}
