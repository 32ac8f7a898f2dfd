import { type BenchDatabase } from '../databases/databases.js';
import { quantile } from '../measure/timed-loops.js';
import { MeasuredProcess, stopAll } from '../processes/measured-process.js';
import { DELAYED, type SeedTimers, type TimerEnd } from '../workflows/timers-calls.js';
import { attempt, type Bench } from './scenario.js';

const SCENARIO = 'timers';
/** From the end of the seeding to the first due time. */
const LEAD_MILLIS = 2000;
/** Claims of a node that was killed end by then, and are looked for. */
const LEASE_MILLIS = 35_000;
/** After the last due time, so long is waited for what is late. */
const PATIENCE_MILLIS = 120_000;
const CAUGHT_UP_MILLIS = 2000;
const FAR_AWAY_MILLIS = 30 * 86_400_000;
const CRON_SECONDS = 10;

interface Place {
  readonly bench: Bench;
  readonly database: BenchDatabase;
  readonly start: () => Promise<MeasuredProcess>;
}

type Part = (place: Place) => Promise<void>;

/** How late timers are, whether each comes once, also when a node is killed, and what those cost that are not due. */
export async function timers(bench: Bench): Promise<void> {
  const parts: Readonly<Record<string, Part>> = { 'one-shot': oneShot, kill: killed, crons, sleeping };
  for (const [name, part] of Object.entries(parts)) {
    if (bench.options.timers.parts.length > 0 && !bench.options.timers.parts.includes(name)) continue;
    for (const database of bench.databases.fresh())
      await attempt(bench, SCENARIO, `${database.name}, ${name}`, () => on(bench, database, part));
  }
}

async function on(bench: Bench, database: BenchDatabase, part: Part): Promise<void> {
  const nodes: MeasuredProcess[] = [];
  const { url, prefix } = database;
  const start = async (): Promise<MeasuredProcess> => {
    const node = await MeasuredProcess.start('measured/timers', { url, prefix });
    nodes.push(node);
    return node;
  };
  try {
    await part({ bench, database, start });
  } finally {
    await stopAll(nodes);
  }
}

/** One node serves delays that are due one after the other. */
async function oneShot(place: Place): Promise<void> {
  const { bench, start } = place;
  const { count, overSeconds } = bench.options.timers;
  const node = await start();
  const firstAt = await seeded(place, node, count, overSeconds);
  const ends = await endsOf([node], count, firstAt + overSeconds * 1000);
  const late = ends.map(({ at, dueAt }) => at - dueAt);
  const target =
    count / overSeconds <= 1000 ? '<= 50 ms' : place.database.name === 'postgres' ? '<= 250 ms' : undefined;
  const variant = `${count.toLocaleString('en')} over ${overSeconds} s`;
  tell(place, variant, 'late_p50_ms', quantile(late, 0.5));
  tell(place, variant, 'late_p99_ms', quantile(late, 0.99), target);
  tell(
    place,
    variant,
    'late_max_ms',
    late.reduce((most, one) => Math.max(most, one), 0),
  );
  await tellLost(place, node, variant, count, ends);
}

/** Two nodes serve them, of which one is killed in the middle. */
async function killed(place: Place): Promise<void> {
  const { bench, start } = place;
  const { count, overSeconds } = bench.options.timers;
  const [doomed, survivor] = [await start(), await start()];
  const firstAt = await seeded(place, doomed, count, overSeconds);
  await sleepUntil(firstAt + (overSeconds * 1000) / 2);
  const ends = await doomed.call<TimerEnd[]>('ends');
  const killedAt = Date.now();
  await doomed.kill();
  ends.push(...(await endsOf([survivor], count - ends.length, firstAt + overSeconds * 1000, LEASE_MILLIS)));

  const variant = `${count.toLocaleString('en')} over ${overSeconds} s, killed`;
  const after = ends.filter(({ at }) => at >= killedAt);
  // Those that were due by then: when the other node had come to them.
  const caughtUp = after.filter(({ dueAt }) => dueAt <= killedAt).map(({ at }) => at - killedAt);
  const isClaimed = (millis: number): boolean => millis > CAUGHT_UP_MILLIS;
  const late = after.filter(({ dueAt }) => dueAt > killedAt).map(({ at, dueAt }) => at - dueAt);
  const longest = (values: readonly number[]): number => values.reduce((most, one) => Math.max(most, one), 0);
  tell(place, variant, 'caught_up_ms', longest(caughtUp), '<= 2,000 ms');
  // The claims of the dead node hold for 30 s.
  tell(place, variant, 'later_than_that_timers', caughtUp.filter(isClaimed).length);
  tell(place, variant, 'others_caught_up_ms', longest(caughtUp.filter((millis) => !isClaimed(millis))));
  tell(place, variant, 'late_p99_after_the_kill_ms', late.length === 0 ? 0 : quantile(late, 0.99));
  await tellLost(place, survivor, variant, count, ends);
}

/** Crons that start an instance each second. */
async function crons(place: Place): Promise<void> {
  const { bench, start } = place;
  const count = bench.options.timers.crons;
  const node = await start();
  bench.report.progress(`${SCENARIO}: ${count} crons on ${place.database.name}`);
  await node.call('publishCrons', count);
  // What came due meanwhile has been served by then, or never will be in time.
  await sleepUntil(Date.now() + 5000);
  const from = Math.ceil(Date.now() / 1000) * 1000;
  const to = from + CRON_SECONDS * 1000;
  await sleepUntil(to);
  const isMeasured = ({ dueAt }: TimerEnd): boolean => dueAt >= from && dueAt < to;
  const ends: TimerEnd[] = [];
  for (const end = Date.now() + PATIENCE_MILLIS; ends.length < count * CRON_SECONDS && Date.now() < end;) {
    ends.push(...(await node.call<TimerEnd[]>('ends')).filter(isMeasured));
    await sleepUntil(Date.now() + 100);
  }
  await node.call('retractCrons', count);
  ends.push(...(await node.call<TimerEnd[]>('ends')).filter(isMeasured));
  const distinct = new Set(ends.map(({ definitionId, dueAt }) => `${definitionId} ${dueAt}`)).size;
  const late = ends.map(({ at, dueAt }) => at - dueAt);
  const variant = `${count.toLocaleString('en')} crons each second`;
  tell(place, variant, 'late_p50_ms', quantile(late, 0.5));
  tell(
    place,
    variant,
    'late_p99_ms',
    quantile(late, 0.99),
    place.database.name === 'postgres' ? '<= 250 ms' : undefined,
  );
  tell(place, variant, 'lost_firings', count * CRON_SECONDS - distinct, '0');
  tell(place, variant, 'doubled_firings', ends.length - distinct, '0');
}

/** What timers cost that are due in a month: memory of a node, and its start. */
async function sleeping(place: Place): Promise<void> {
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

/** @returns when the first one is due */
async function seeded(place: Place, node: MeasuredProcess, count: number, overSeconds: number): Promise<number> {
  const { bench, database } = place;
  bench.report.progress(`${SCENARIO}: storing ${count} delays on ${database.name}`);
  // How long it takes is found out with a part of them, which is served before the others are due.
  const part = Math.max(1, Math.floor(count / 20));
  const begin = Date.now();
  await node.call('seed', { count: part, firstAt: begin, overMillis: 1 } satisfies SeedTimers);
  const millisEach = (Date.now() - begin) / part;
  await endsOf([node], part, Date.now());
  const firstAt = Date.now() + LEAD_MILLIS + Math.ceil(1.5 * millisEach * count);
  await node.call('seed', { count, firstAt, overMillis: overSeconds * 1000 } satisfies SeedTimers);
  if (Date.now() > firstAt) throw new Error('Storing the timers took longer than the time until the first was due.');
  await sleepUntil(firstAt);
  return firstAt;
}

/** What has ended on these nodes, once it is so many, or no more come. */
async function endsOf(
  nodes: readonly MeasuredProcess[],
  count: number,
  lastAt: number,
  moreMillis = 0,
): Promise<TimerEnd[]> {
  const ends: TimerEnd[] = [];
  const until = lastAt + PATIENCE_MILLIS + moreMillis;
  while (ends.length < count && Date.now() < until) {
    await sleepUntil(Date.now() + 200);
    for (const node of nodes)
      ends.push(...(await node.call<TimerEnd[]>('ends')).filter(({ definitionId }) => definitionId === DELAYED));
  }
  return ends;
}

/** By the store, as what ended on a node that was killed could not be told; doubled by what nodes have told. */
async function tellLost(
  place: Place,
  node: MeasuredProcess,
  variant: string,
  count: number,
  ends: readonly TimerEnd[],
): Promise<void> {
  // Doubles come late.
  await sleepUntil(Date.now() + 1000);
  const all = [...ends, ...(await node.call<TimerEnd[]>('ends'))];
  const waiting = await node.call<number>('instances', { definitionIds: [DELAYED], statuses: ['Running'] });
  const unfinished = await node.call<number>('instances', {
    definitionIds: [DELAYED],
    subStatuses: ['Faulted', 'Cancelled'],
  });
  tell(place, variant, 'lost_timers', waiting + unfinished, '0');
  tell(place, variant, 'doubled_timers', all.length - new Set(all.map(({ id }) => id)).size, '0');
  place.bench.report.value(SCENARIO, `${place.database.name}, ${variant}`, 'timers', count);
}

function tell(place: Place, variant: string, metric: string, value: number, target?: string): void {
  const { bench, database } = place;
  bench.report.plain({
    scenario: SCENARIO,
    variant: `${database.name}, ${variant}`,
    metric,
    value,
    ...(target !== undefined && { target }),
  });
}

function sleepUntil(time: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.max(0, time - Date.now())));
}
