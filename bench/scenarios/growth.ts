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
  readonly cpuMillis: number;
  readonly stall: Stall;
  readonly counter: number;
}

/** Where the nodes of one size keep their definitions; without a URL in memory, where there is one node only. */
interface Place {
  readonly url?: string;
  readonly prefix?: string;
}

/** Two nodes among so many definitions, the second of which follows the first. */
interface Size {
  readonly count: number;
  readonly here: MeasuredProcess;
  readonly there: MeasuredProcess | undefined;
  readonly published: Published[];
  readonly followerStalls: Stall[];
}

/** What a publish costs the node that publishes and one that follows, by how many definitions there are. */
export async function growth(bench: Bench): Promise<void> {
  const { options, report, databases } = bench;
  for (const kind of GROWTH_KINDS)
    for (const name of ['memory', ...options.databases]) {
      report.progress(`${SCENARIO}: ${name}, ${kind}`);
      // Each size has tables of its own.
      const found = options.sizes.map(() => databases.fresh().find((database) => database.name === name));
      const places = name === 'memory' ? found.map(() => ({})) : found.filter((place) => place !== undefined);
      if (places.length > 0)
        await attempt(bench, SCENARIO, `${name}, ${kind}`, () => measure(bench, `${name}, ${kind}`, kind, places));
    }
}

async function measure(bench: Bench, name: string, kind: GrowthKind, places: readonly Place[]): Promise<void> {
  const { options } = bench;
  const processes: MeasuredProcess[] = [];
  const node = async ({ url, prefix }: Place): Promise<MeasuredProcess> => {
    const child = await MeasuredProcess.start('measured/growth', { url, prefix, kind });
    processes.push(child);
    return child;
  };
  try {
    const sizes: Size[] = [];
    for (const [i, place] of places.entries()) {
      const count = options.sizes[i]!;
      const here = await node(place);
      await here.call('seed', count);
      const there = place.url === undefined ? undefined : await node(place);
      sizes.push({ count, here, there, published: [], followerStalls: [] });
    }
    // In turns, so that what else the machine does meets all sizes alike.
    const round = async (change: number): Promise<void> => {
      for (const size of sizes) await publishOnce(size, change);
    };
    for (let change = 1; change <= WARM_UP; change++) await round(change);
    const before = await Promise.all(sizes.map(({ here }) => here.call<number>('heap')));
    const last = WARM_UP + PUBLISHES_PER_ROUND * options.rounds;
    for (let change = WARM_UP + 1; change <= last; change++) await round(change);
    const after = await Promise.all(sizes.map(({ here }) => here.call<number>('heap')));
    for (const [i, size] of sizes.entries()) tell(bench, name, size, sizes[0]!, after[i]! - before[i]!);
  } finally {
    await stopAll(processes);
  }
}

async function publishOnce({ count, here, there, published, followerStalls }: Size, change: number): Promise<void> {
  const what = { number: change % count, change };
  await there?.call('watch');
  const result = await here.call<Published>('publish', what);
  published.push(result);
  if (there) followerStalls.push(await there.call<Stall>('follow', { ...what, counter: result.counter }));
}

function tell({ report }: Bench, name: string, size: Size, fewest: Size, heapGrowth: number): void {
  const named = (count: number): string => `${count.toLocaleString('en')} definitions`;
  const variant = `${name}, ${named(size.count)}`;
  const p50 = ({ published }: Size, of: (p: Published) => number): number => median(published.slice(WARM_UP).map(of));
  const metrics = [
    { metric: 'publish_ms', of: (p: Published) => p.millis, target: '<= 1.2 x' },
    { metric: 'publish_cpu_ms', of: (p: Published) => p.cpuMillis, target: '<= 1.2 x' },
  ];
  for (const { metric, of, target } of metrics) {
    const ceiling = { name: named(fewest.count), value: p50(fewest, of) };
    report.quotient({ scenario: SCENARIO, variant, metric, own: p50(size, of), ceiling, target });
  }
  const stalls = (metric: string, all: readonly Stall[]): void => {
    const warm = all.slice(WARM_UP);
    if (warm.length === 0) return;
    const longest = (of: (stall: Stall) => number): number => Math.max(...warm.map(of));
    report.plain({ scenario: SCENARIO, variant, metric: `${metric}_ms`, value: longest((s) => s.millis) });
    const cpu = { metric: `${metric}_cpu_ms`, value: longest((s) => s.cpuMillis), target: '<= 50 ms' };
    report.plain({ scenario: SCENARIO, variant, ...cpu });
  };
  stalls(
    'longest_stall',
    size.published.map((p) => p.stall),
  );
  stalls('longest_stall_of_follower', size.followerStalls);
  report.plain({ scenario: SCENARIO, variant, metric: 'heap_growth_MB', value: heapGrowth });
}
