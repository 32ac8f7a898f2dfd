import { quantile } from '../../measure/timed-loops.js';
import type { TimerEnd } from '../../workflows/timers-calls.js';
import { PATIENCE_MILLIS, type Place, SCENARIO, sleepUntil, tell } from './place.js';

const CRON_SECONDS = 10;

/** Crons that start an instance each second. */
export async function crons(place: Place): Promise<void> {
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
