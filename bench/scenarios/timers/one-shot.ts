import { serverCpuMicros } from '../../databases/server-cpu.js';
import { quantile } from '../../measure/timed-loops.js';
import { MeasuredProcess } from '../../processes/measured-process.js';
import { profiled } from '../../profile/profiled.js';
import { cpuOf as cpuMillisOf } from '../growth/nodes.js';
import type { StateSample } from '../../workflows/suspend-resume-calls.js';
import type { DelayServed, SeedTimers, TimerEnd } from '../../workflows/timers-calls.js';
import { endsOf, type Place, SCENARIO, seeded, sleepUntil, tell, tellLost } from './place.js';

const LEAD_MILLIS = 1000;
const WARM_UP = 2000;

/** One node serves delays that are due one after the other, or several share them. */
export async function oneShot(place: Place): Promise<void> {
  const { bench, start } = place;
  const { count, overSeconds, nodes: nodeCount } = bench.options.timers;
  const nodes: MeasuredProcess[] = [];
  while (nodes.length < nodeCount) nodes.push(await start());
  const firstAt = await seeded(place, nodes, count, overSeconds);
  const name = `${SCENARIO}-${place.database.name}`;
  let ends: TimerEnd[] = [];
  const cpu = await cpuOf(place, nodes, () =>
    profiled(bench.options.profile, name, nodes, async () => {
      ends = await endsOf(nodes, firstAt, firstAt + overSeconds * 1000);
    }),
  );
  const target =
    count / overSeconds <= 1000 ? '<= 50 ms' : place.database.name === 'postgres' ? '<= 250 ms' : undefined;
  const load = `${count.toLocaleString('en')} over ${overSeconds} s`;
  const variant = nodeCount === 1 ? load : `${load}, ${nodeCount} nodes`;
  tellServed(place, variant, firstAt, ends, cpu, target);
  await tellLost(place, nodes, variant, count, ends);
  // Only where there is a target that is near the limit of a machine.
  if (place.database.name === 'postgres') await byHand(place, load, await nodes[0]!.call<StateSample>('states'));
}

/** The same by the bare driver, two transactions for some hundreds of delays. */
async function byHand(place: Place, variant: string, sample: StateSample): Promise<void> {
  const { bench, database } = place;
  const { count, overSeconds } = bench.options.timers;
  const { url, prefix } = database;
  const hand = await MeasuredProcess.start('ceilings/due-batches', { url, prefix: `${prefix}hand_`, sample });
  try {
    const begin = Date.now();
    await hand.call('seed', { count: WARM_UP, firstAt: begin, overMillis: 1 } satisfies SeedTimers);
    const millisEach = (Date.now() - begin) / WARM_UP;
    await hand.call('serve', WARM_UP);
    const firstAt = Date.now() + LEAD_MILLIS + Math.ceil(1.5 * millisEach * count);
    await hand.call('seed', { count, firstAt, overMillis: overSeconds * 1000 } satisfies SeedTimers);
    if (Date.now() > firstAt) throw new Error('Storing the delays took longer than the time until the first was due.');
    await sleepUntil(firstAt);
    let served: DelayServed[] = [];
    const cpu = await cpuOf(place, [hand], async () => {
      served = await hand.call<DelayServed[]>('serve', count);
    });
    tellServed(place, `${variant}, hand-written`, firstAt, served, cpu);
  } finally {
    await hand.stop();
  }
  bench.report.progress(`${SCENARIO}: hand-written on ${database.name} done`);
}

interface Cpu {
  readonly micros: number;
  /** Of the database server, where it is known. */
  readonly serverMicros: number | undefined;
}

/** Of all these processes together. */
async function cpuOf(
  { database }: Place,
  processes: readonly MeasuredProcess[],
  work: () => Promise<void>,
): Promise<Cpu> {
  const before = await cpuMillisOf(processes);
  const serverBefore = await serverCpuMicros(database);
  await work();
  const serverAfter = await serverCpuMicros(database);
  const after = await cpuMillisOf(processes);
  return {
    micros: 1000 * (after - before),
    serverMicros: serverBefore === undefined || serverAfter === undefined ? undefined : serverAfter - serverBefore,
  };
}

function tellServed(
  place: Place,
  variant: string,
  firstAt: number,
  served: readonly DelayServed[],
  { micros, serverMicros }: Cpu,
  target?: string,
): void {
  const late = served.map(({ at, dueAt }) => at - dueAt);
  const count = Math.max(1, served.length);
  const lastAt = served.reduce((latest, { at }) => Math.max(latest, at), firstAt + 1);
  tell(place, variant, 'late_p50_ms', quantile(late, 0.5));
  tell(place, variant, 'late_p99_ms', quantile(late, 0.99), target);
  tell(
    place,
    variant,
    'late_max_ms',
    late.reduce((most, one) => Math.max(most, one), 0),
  );
  tell(place, variant, 'rate_/s', (1000 * served.length) / (lastAt - firstAt));
  tell(place, variant, 'cpu_us', micros / count);
  if (serverMicros !== undefined) tell(place, variant, 'server_cpu_us', serverMicros / count);
}
