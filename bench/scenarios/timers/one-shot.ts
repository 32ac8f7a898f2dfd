import { profiled } from '../../profile/profiled.js';
import type { TimerEnd } from '../../workflows/timers-calls.js';
import { quantile } from '../../measure/timed-loops.js';
import { endsOf, type Place, SCENARIO, seeded, tell, tellLost } from './place.js';

/** One node serves delays that are due one after the other. */
export async function oneShot(place: Place): Promise<void> {
  const { bench, start } = place;
  const { count, overSeconds } = bench.options.timers;
  const node = await start();
  const firstAt = await seeded(place, [node], count, overSeconds);
  const before = await node.call<NodeJS.CpuUsage>('cpu');
  const name = `${SCENARIO}-${place.database.name}`;
  let ends: TimerEnd[] = [];
  await profiled(bench.options.profile, name, [node], async () => {
    ends = await endsOf([node], firstAt, firstAt + overSeconds * 1000);
  });
  const after = await node.call<NodeJS.CpuUsage>('cpu');
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
  const cpuMicros = after.user + after.system - before.user - before.system;
  tell(place, variant, 'cpu_us', cpuMicros / Math.max(1, ends.length));
  await tellLost(place, node, variant, count, ends);
}
