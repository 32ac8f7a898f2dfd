import type { Health } from '../../measure/health-probe.js';
import { median } from '../../measure/in-turns.js';
import type { Stall } from '../../measure/stall-meter.js';
import type { MeasuredProcess } from '../../processes/measured-process.js';
import type { GrowthKind } from '../../workflows/growth.js';
import { ALL_STORES, type Dimension, type Values } from './dimension.js';
import { timed } from './nodes.js';
import type { Place } from './place.js';

const WARM_UP = 5;
const PUBLISHES_PER_ROUND = 7;

interface Published {
  readonly millis: number;
  readonly cpuMillis: number;
  readonly stall: Stall;
  readonly counter: number;
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
export const publishPlain = publishAmong('plain', 'started by events');
export const publishEndpoints = publishAmong('endpoints', 'started by requests at paths with parameters');
export const publishReusable = publishAmong('reusable', 'usable as activities');

function publishAmong(kind: GrowthKind, how: string): Dimension {
  return {
    name: `publish-${kind}`,
    description: `Publishing a changed definition among others, ${how}, while a second node follows.`,
    unit: 'definitions',
    sizes: [10, 100, 1_000, 10_000],
    databases: ALL_STORES,
    metrics: {
      publish: { unit: 'ms', target: { times: 1.2 } },
      publish_cpu: { unit: 'ms', target: { times: 1.2 } },
      longest_stall: { unit: 'ms' },
      longest_stall_cpu: { unit: 'ms', target: { atMost: 50 } },
      longest_stall_of_follower: { unit: 'ms' },
      longest_stall_of_follower_cpu: { unit: 'ms', target: { atMost: 50 } },
      health_p99: { unit: 'ms', target: { atMost: 250 } },
      heap_growth: { unit: 'MB' },
    },
    runInTurns: (places) => measure(kind, places),
  };
}

async function measure(kind: GrowthKind, places: readonly Place[]): Promise<Values[]> {
  const choice = { file: 'measured/growth/publish', more: kind };
  const sizes: Size[] = [];
  for (const place of places) {
    const here = await place.startNode(choice);
    await here.call('seed', place.size);
    const there = place.database && (await place.startNode(choice));
    sizes.push({ count: place.size, here, there, published: [], followerStalls: [] });
  }
  const round = async (change: number): Promise<void> => {
    for (const size of sizes) await publishOnce(size, change);
  };
  const heaps = (): Promise<number[]> => Promise.all(sizes.map(({ here }) => here.call<number>('heap')));
  for (let change = 1; change <= WARM_UP; change++) await round(change);
  const before = await heaps();
  const last = WARM_UP + PUBLISHES_PER_ROUND * places[0]!.options.rounds;
  for (let change = WARM_UP + 1; change <= last; change++) await round(change);
  const after = await heaps();
  const health: Health[] = [];
  for (const size of sizes) health.push(await healthOf(size, last));
  return sizes.map((size, i) => ({
    ...valuesOf(size),
    health_p99: health[i]!.p99Millis,
    heap_growth: after[i]! - before[i]!,
  }));
}

/** Of both nodes, in further publishes: what asks them for their health would be in the cost of those that count. */
async function healthOf({ count, here, there }: Size, last: number): Promise<Health> {
  const further: Size = { count, here, there, published: [], followerStalls: [] };
  const { health } = await timed([here, ...(there ? [there] : [])], async () => {
    for (let change = 1; change <= PUBLISHES_PER_ROUND; change++) await publishOnce(further, last + change);
  });
  return health;
}

async function publishOnce({ count, here, there, published, followerStalls }: Size, change: number): Promise<void> {
  const what = { number: change % count, change };
  await there?.call('watch');
  const result = await here.call<Published>('publish', what);
  published.push(result);
  if (there) followerStalls.push(await there.call<Stall>('follow', { ...what, counter: result.counter }));
}

function valuesOf({ published, followerStalls }: Size): Values {
  const warm = published.slice(WARM_UP);
  const followed = followerStalls.slice(WARM_UP);
  const longest = (stalls: readonly Stall[], of: (stall: Stall) => number): number => Math.max(...stalls.map(of));
  return {
    publish: median(warm.map((p) => p.millis)),
    publish_cpu: median(warm.map((p) => p.cpuMillis)),
    longest_stall: longest(
      warm.map((p) => p.stall),
      (stall) => stall.millis,
    ),
    longest_stall_cpu: longest(
      warm.map((p) => p.stall),
      (stall) => stall.cpuMillis,
    ),
    ...(followed.length > 0 && {
      longest_stall_of_follower: longest(followed, (stall) => stall.millis),
      longest_stall_of_follower_cpu: longest(followed, (stall) => stall.cpuMillis),
    }),
  };
}
