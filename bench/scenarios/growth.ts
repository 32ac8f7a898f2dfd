import { median } from '../measure/in-turns.js';
import type { Stall } from '../measure/stall-meter.js';
import { MeasuredProcess, stopAll } from '../processes/measured-process.js';
import { GROWTH_KINDS, type GrowthKind } from '../workflows/growth.js';
import { attempt, type Bench } from './scenario.js';

const SCENARIO = 'growth';
const WARM_UP = 5;
const PUBLISHES_PER_ROUND = 7;

interface Published {
  readonly millis: number;
  readonly stall: Stall;
  readonly counter: number;
}

interface Row {
  readonly metric: string;
  readonly value: number;
  readonly target?: string;
}

interface Measured {
  readonly publishMillis: number;
  readonly rows: readonly Row[];
}

/** A store, and how further tables of it are named. */
interface Place {
  readonly name: string;
  readonly choice: { readonly url?: string; readonly prefix?: string };
}

/** What a publish costs the node that publishes and one that follows, by how many definitions there are. */
export async function growth(bench: Bench): Promise<void> {
  for (const kind of GROWTH_KINDS) {
    await measureSizes(bench, kind, 'memory', () => ({ name: 'memory', choice: {} }));
    for (const { name } of bench.databases.fresh())
      await measureSizes(bench, kind, name, () => {
        const { url, prefix } = bench.databases.fresh().find((database) => database.name === name)!;
        return { name, choice: { url, prefix } };
      });
  }
}

async function measureSizes(bench: Bench, kind: GrowthKind, name: string, place: () => Place): Promise<void> {
  let fewest: Measured | undefined;
  for (const count of bench.options.sizes) {
    const variant = `${name}, ${kind}, ${count.toLocaleString('en')} definitions`;
    await attempt(bench, SCENARIO, variant, async () => {
      bench.report.progress(`${SCENARIO}: ${variant}`);
      const measured = await measure(bench, kind, count, place());
      fewest ??= measured;
      bench.report.quotient({
        scenario: SCENARIO,
        variant,
        metric: 'publish_ms',
        own: measured.publishMillis,
        ceiling: { name: `${bench.options.sizes[0]!.toLocaleString('en')} definitions`, value: fewest.publishMillis },
        target: '<= 1.2 x',
      });
      for (const row of measured.rows) bench.report.plain({ scenario: SCENARIO, variant, ...row });
    });
  }
}

async function measure({ options }: Bench, kind: GrowthKind, count: number, { choice }: Place): Promise<Measured> {
  const processes: MeasuredProcess[] = [];
  const node = async (): Promise<MeasuredProcess> => {
    const child = await MeasuredProcess.start('measured/growth', { ...choice, kind });
    processes.push(child);
    return child;
  };
  try {
    const here = await node();
    await here.call('seed', count);
    // What is kept in memory has no second node.
    const there = choice.url === undefined ? undefined : await node();
    const published: Published[] = [];
    const stalls: Stall[] = [];
    let change = 0;
    const once = async (): Promise<void> => {
      const what = { number: change % count, change: ++change };
      await there?.call('watch');
      const result = await here.call<Published>('publish', what);
      published.push(result);
      if (there) stalls.push(await there.call<Stall>('follow', { ...what, counter: result.counter }));
    };
    for (let i = 0; i < WARM_UP; i++) await once();
    const heapBefore = await here.call<number>('heap');
    const repeats = PUBLISHES_PER_ROUND * options.rounds;
    for (let i = 0; i < repeats; i++) await once();
    const heapAfter = await here.call<number>('heap');
    const warm = published.slice(WARM_UP);
    const rows = [
      ...stallRows(
        'stall',
        warm.map((p) => p.stall),
      ),
      ...(there ? stallRows('follower_stall', stalls.slice(WARM_UP)) : []),
      row('heap_MB', heapAfter),
      row('heap_growth_MB', heapAfter - heapBefore),
    ];
    return { publishMillis: median(warm.map((p) => p.millis)), rows };
  } finally {
    await stopAll(processes);
  }
}

const row = (metric: string, value: number, target?: string): Row => ({ metric, value, target });

function stallRows(name: string, stalls: readonly Stall[]): Row[] {
  return [
    row(`${name}_p50_ms`, median(stalls.map((s) => s.millis))),
    row(`${name}_max_ms`, Math.max(...stalls.map((s) => s.millis))),
    row(`${name}_cpu_max_ms`, Math.max(...stalls.map((s) => s.cpuMillis)), '<= 50 ms'),
  ];
}
