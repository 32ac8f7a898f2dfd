import { quantile } from '../../measure/timed-loops.js';
import type { TimerEnd } from '../../workflows/timers-calls.js';
import { endsOf, type Place, seeded, sleepUntil, tell, tellLost } from './place.js';

/** Claims of a node that was killed end by then, and are looked for. */
const LEASE_MILLIS = 35_000;
const CAUGHT_UP_MILLIS = 2000;

/** Two nodes serve them, of which one is killed in the middle. */
export async function killed(place: Place): Promise<void> {
  const { bench, start } = place;
  const { count, overSeconds } = bench.options.timers;
  const [doomed, survivor] = [await start(), await start()];
  const firstAt = await seeded(place, [doomed, survivor], count, overSeconds);
  await sleepUntil(firstAt + (overSeconds * 1000) / 2);
  const ends = (await doomed.call<TimerEnd[]>('ends')).filter(({ dueAt }) => dueAt >= firstAt);
  const killedAt = Date.now();
  await doomed.kill();
  ends.push(...(await endsOf([survivor], firstAt, firstAt + overSeconds * 1000 + LEASE_MILLIS)));

  const variant = `${count.toLocaleString('en')} over ${overSeconds} s, killed`;
  const after = ends.filter(({ at }) => at >= killedAt);
  // Those that were due by then: when the other node had come to them.
  const caughtUp = after.filter(({ dueAt }) => dueAt <= killedAt).map(({ at }) => at - killedAt);
  const isClaimed = (millis: number): boolean => millis > CAUGHT_UP_MILLIS;
  const late = after.filter(({ dueAt }) => dueAt > killedAt).map(({ at, dueAt }) => at - dueAt);
  const longest = (values: readonly number[]): number => values.reduce((most, one) => Math.max(most, one), 0);
  tell(place, variant, 'caught_up_ms', longest(caughtUp), '<= 2,000 ms');
  // Where the system does not say that it is dead, its claims hold for 10 s, and for 30 s once renewed.
  tell(place, variant, 'later_than_that_timers', caughtUp.filter(isClaimed).length);
  tell(place, variant, 'others_caught_up_ms', longest(caughtUp.filter((millis) => !isClaimed(millis))));
  tell(place, variant, 'late_p99_after_the_kill_ms', late.length === 0 ? 0 : quantile(late, 0.99));
  await tellLost(place, [survivor], variant, count, ends);
}
