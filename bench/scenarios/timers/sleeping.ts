import type { MeasuredProcess } from '../../processes/measured-process.js';
import type { SeedTimers } from '../../workflows/timers-calls.js';
import { type Place, SCENARIO, sleepUntil } from './place.js';

const FAR_AWAY_MILLIS = 30 * 86_400_000;

/** What timers cost that are due in a month: memory of a node, and its start. */
export async function sleeping(place: Place): Promise<void> {
  const { bench, database, start } = place;
  const count = bench.options.timers.sleeping;
  const first = await start();
  await first.call('seed', { count: 1, firstAt: Date.now() + FAR_AWAY_MILLIS, overMillis: 1 } satisfies SeedTimers);
  await first.stop();
  const without = await restarted(start, bench.options.rounds);
  bench.report.progress(`${SCENARIO}: storing ${count} sleeping timers on ${database.name}`);
  const seeder = await start();
  const firstAt = Date.now() + FAR_AWAY_MILLIS;
  await seeder.call('seed', { count, firstAt, overMillis: FAR_AWAY_MILLIS } satisfies SeedTimers);
  await seeder.stop();
  const among = await restarted(start, bench.options.rounds);
  const variant = `${count.toLocaleString('en')} sleeping`;
  const compare = (metric: string, own: number, ceiling: number, target: string): void =>
    bench.report.quotient({
      scenario: SCENARIO,
      variant: `${database.name}, ${variant}`,
      metric,
      own,
      ceiling: { name: 'without them', value: ceiling },
      target,
    });
  compare('heap_MB', among.heapMegabytes, without.heapMegabytes, '<= 1.05 x');
  compare('start_ms', among.startMillis, without.startMillis, '<= 1.2 x');
}

interface Restart {
  readonly startMillis: number;
  readonly heapMegabytes: number;
}

/** A node that finds its tables: the quickest of some starts, and its heap after a while. */
async function restarted(start: () => Promise<MeasuredProcess>, rounds: number): Promise<Restart> {
  const starts: Restart[] = [];
  for (let round = 0; round < rounds + 1; round++) {
    const begin = performance.now();
    const node = await start();
    const startMillis = performance.now() - begin;
    // Several looks at the store.
    await sleepUntil(Date.now() + 5000);
    starts.push({ startMillis, heapMegabytes: await node.call<number>('heap') });
    await node.stop();
  }
  const least = (of: (each: Restart) => number): number => Math.min(...starts.map(of));
  return { startMillis: least((each) => each.startMillis), heapMegabytes: least((each) => each.heapMegabytes) };
}
