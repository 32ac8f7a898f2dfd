import type { BenchDatabase } from '../../databases/databases.js';
import type { MeasuredProcess } from '../../processes/measured-process.js';
import { DELAYED, type SeedTimers, type TimerEnd } from '../../workflows/timers-calls.js';
import type { Bench } from '../scenario.js';

export const SCENARIO = 'timers';
/** From the end of the seeding to the first due time. */
const LEAD_MILLIS = 2000;
/** So long is waited for the next one to end, after the last was due: what has not ended counts as lost. */
export const PATIENCE_MILLIS = 120_000;
/** Delays that have not ended. */
const WAITING = { definitionIds: [DELAYED], statuses: ['Running'] };
const FINISHED = { definitionIds: [DELAYED], subStatuses: ['Finished'] };

/** Delays that are stored and served before the measured ones. */
const triedWith = (count: number): number => Math.max(1, Math.floor(count / 20));

/** One part of the scenario on one database. */
export interface Place {
  readonly bench: Bench;
  readonly database: BenchDatabase;
  readonly start: () => Promise<MeasuredProcess>;
}

/** @returns when the first one is due */
export async function seeded(
  place: Place,
  nodes: readonly MeasuredProcess[],
  count: number,
  overSeconds: number,
): Promise<number> {
  const { bench, database } = place;
  const [seeder] = nodes;
  bench.report.progress(`${SCENARIO}: storing ${count} delays on ${database.name}`);
  // How long it takes is found out with a part of them, which is served before the others are due.
  const part = triedWith(count);
  const begin = Date.now();
  await seeder!.call('seed', { count: part, firstAt: begin, overMillis: 1 } satisfies SeedTimers);
  const millisEach = (Date.now() - begin) / part;
  await endsOf(nodes, begin, Date.now());
  const firstAt = Date.now() + LEAD_MILLIS + Math.ceil(1.5 * millisEach * count);
  await seeder!.call('seed', { count, firstAt, overMillis: overSeconds * 1000 } satisfies SeedTimers);
  if (Date.now() > firstAt) throw new Error('Storing the timers took longer than the time until the first was due.');
  await sleepUntil(firstAt);
  return firstAt;
}

/**
 * What ends on these nodes of what is due from then on, until no delay waits any more, or none has ended for long: where a machine is slow,
 * the latest must not be left out, which would make the others look early.
 */
export async function endsOf(nodes: readonly MeasuredProcess[], firstAt: number, lastAt: number): Promise<TimerEnd[]> {
  const ends: TimerEnd[] = [];
  for (let [isOver, known, endsBy] = [false, -1, lastAt + PATIENCE_MILLIS]; !isOver;) {
    await sleepUntil(Date.now() + 500);
    // To count a hundred thousand that wait takes the server as long as to serve some hundreds: not while any come.
    const hasPaused = ends.length === known;
    if (!hasPaused) endsBy = Math.max(endsBy, Date.now() + PATIENCE_MILLIS);
    known = ends.length;
    // Asked before the nodes are: what has ended by then has been told.
    const isDone = Date.now() > lastAt && hasPaused && (await nodes[0]!.call<number>('instances', WAITING)) === 0;
    isOver = isDone || Date.now() > endsBy;
    for (const node of nodes)
      ends.push(...(await node.call<TimerEnd[]>('ends')).filter(({ dueAt }) => dueAt >= firstAt));
  }
  return ends;
}

/**
 * By the store, as what ended on a node that was killed may be known to it alone: of each delay that was stored, one must have
 * finished, and its one burst have written to the journal once. What nodes have reported twice counts as well.
 */
export async function tellLost(
  place: Place,
  nodes: readonly MeasuredProcess[],
  variant: string,
  count: number,
  ends: readonly TimerEnd[],
): Promise<void> {
  // Doubles come late.
  await sleepUntil(Date.now() + 1000);
  const all = [...ends];
  for (const node of nodes) all.push(...(await node.call<TimerEnd[]>('ends')));
  const node = nodes[0]!;
  const reported = all.length - new Set(all.map(({ id }) => id)).size;
  const stored = await node.call<number>('doubledBursts');
  const finished = await node.call<number>('instances', FINISHED);
  tell(place, variant, 'lost_timers', count + triedWith(count) - finished, '0');
  tell(place, variant, 'doubled_timers', Math.max(reported, stored), '0');
  place.bench.report.value(SCENARIO, `${place.database.name}, ${variant}`, 'timers', count);
}

export function tell(place: Place, variant: string, metric: string, value: number, target?: string): void {
  const { bench, database } = place;
  bench.report.plain({
    scenario: SCENARIO,
    variant: `${database.name}, ${variant}`,
    metric,
    value,
    ...(target !== undefined && { target }),
  });
}

export function sleepUntil(time: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.max(0, time - Date.now())));
}
