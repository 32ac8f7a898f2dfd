import { quantile } from '../../measure/timed-loops.js';
import { profiled } from '../../profile/profiled.js';
import type { CronKind, PublishCrons, TimerEnd } from '../../workflows/timers-calls.js';
import { PATIENCE_MILLIS, type Place, SCENARIO, sleepUntil, tell } from './place.js';

const CRON_SECONDS = 10;

/** Crons that start an instance each second. */
export const crons = (place: Place): Promise<void> => everySecond(place, 'crons');

/** The same, where some of the starts have to ask whether another instance runs. */
export const guardedCrons = (place: Place): Promise<void> => everySecond(place, 'guarded crons');

/** The same by schedules of the application. */
export const ownCrons = (place: Place): Promise<void> => everySecond(place, 'own crons');

async function everySecond(place: Place, kind: CronKind): Promise<void> {
  const { bench, start } = place;
  const count = bench.options.timers.crons;
  const node = await start();
  bench.report.progress(`${SCENARIO}: ${count} ${kind} on ${place.database.name}`);
  await node.call('publishCrons', { count, kind } satisfies PublishCrons);
  // What came due meanwhile has been served by then, or never will be in time.
  await sleepUntil(Date.now() + 5000);
  const from = Math.ceil(Date.now() / 1000) * 1000;
  const to = from + CRON_SECONDS * 1000;
  const before = await node.call<NodeJS.CpuUsage>('cpu');
  await profiled(bench.options.profile, `${SCENARIO} ${kind} ${place.database.name}`, [node], () => sleepUntil(to));
  const isMeasured = ({ dueAt }: TimerEnd): boolean => dueAt >= from && dueAt < to;
  const ends: TimerEnd[] = [];
  for (const end = Date.now() + PATIENCE_MILLIS; ends.length < count * CRON_SECONDS && Date.now() < end;) {
    ends.push(...(await node.call<TimerEnd[]>('ends')).filter(isMeasured));
    await sleepUntil(Date.now() + 100);
  }
  const after = await node.call<NodeJS.CpuUsage>('cpu');
  await node.call('retractCrons', { count, kind } satisfies PublishCrons);
  ends.push(...(await node.call<TimerEnd[]>('ends')).filter(isMeasured));
  const distinct = new Set(ends.map(({ definitionId, dueAt }) => `${definitionId} ${dueAt}`)).size;
  const late = ends.map(({ at, dueAt }) => at - dueAt);
  const variant = `${count.toLocaleString('en')} ${kind} each second`;
  tell(place, variant, 'late_p50_ms', quantile(late, 0.5));
  tell(
    place,
    variant,
    'late_p99_ms',
    quantile(late, 0.99),
    place.database.name === 'postgres' ? '<= 250 ms' : undefined,
  );
  const cpuMicros = after.user + after.system - before.user - before.system;
  tell(place, variant, 'cpu_us', cpuMicros / Math.max(1, ends.length));
  tell(place, variant, 'lost_firings', count * CRON_SECONDS - distinct, '0');
  tell(place, variant, 'doubled_firings', ends.length - distinct, '0');
}
