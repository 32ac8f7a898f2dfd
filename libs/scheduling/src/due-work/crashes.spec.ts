import { Logger } from '@nestjs/common';
import fc from 'fast-check';
import { amountOf } from '../../../../test/support/depth.js';
import { CronSchedule } from '../cron/cron-schedule.js';
import { Cluster, type Mishap, SECOND, T0 } from './cluster-harness.spec.js';

beforeAll(() => Logger.overrideLogger(false));
afterAll(() => Logger.overrideLogger(undefined as never));

describe('random schedules and random crashes', () => {
  const arbitraryMishap = fc.constantFrom<Mishap>('dies before it', 'dies after it', 'loses the answer', 'is refused');
  const step = fc.record({
    waitMs: fc.integer({ min: 0, max: 20 * SECOND }),
    node: fc.nat({ max: 2 }),
    mishap: arbitraryMishap,
    restart: fc.boolean(),
  });
  const world = fc.record({
    intervals: fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 3 }),
    crons: fc.array(fc.constantFrom('*/10 * * * * *', '30 * * * * *', '5,7 */2 * * * *'), { maxLength: 2 }),
    starts: fc.array(fc.integer({ min: -60, max: 200 }), { maxLength: 3 }),
    delays: fc.array(fc.integer({ min: -10, max: 200 }), { maxLength: 6 }),
    steps: fc.array(step, { maxLength: 12 }),
  });

  it.each([
    ['starts that claim their occurrence themselves', false],
    ['starts by messages, claimed together', true],
  ])(
    'random schedules and random crashes fire each occurrence exactly once: %s',
    async (_how, startsByMessage) => {
      await fc.assert(
        fc.asyncProperty(world, async ({ intervals, crons, starts, delays, steps }) => {
          const cluster = new Cluster({
            misfire: { timer: 'all', cron: 'all' },
            concurrency: 2,
            retryMaxMs: 8 * SECOND,
          });
          cluster.startsByMessage = startsByMessage;
          for (const [i, s] of intervals.entries()) await cluster.timer(`timer${i}`, s * SECOND);
          for (const [i, expression] of crons.entries()) await cluster.cron(`cron${i}`, expression);
          for (const [i, s] of starts.entries()) await cluster.startAt(`start${i}`, T0 + s * SECOND);
          for (const [i, s] of delays.entries()) await cluster.delay(`delay${i}`, s * SECOND);
          cluster.start(3);
          for (const { waitMs, node, mishap, restart } of steps) {
            await cluster.clock.advance(waitMs);
            const victim = cluster.nodes[node]!;
            victim.mishaps.push(mishap);
            if (restart && victim.isDead) {
              cluster.start();
              cluster.nodes[node] = cluster.nodes.pop()!;
            }
          }
          // Peace at last: one healthy node, and time for what is left, claims of the dead included.
          for (const node of cluster.nodes) node.mishaps = [];
          cluster.start();
          await cluster.clock.setTime(Math.max(cluster.clock.now(), T0 + 200 * SECOND));
          await cluster.clock.advance(45 * SECOND);
          await cluster.serveMessages();
          const end = cluster.clock.now();

          const expected = [
            ...intervals.flatMap((s, i) =>
              Array.from(
                { length: Math.floor((end - T0) / (s * SECOND)) },
                (_, k) => `timer${i}@${(k + 1) * s * SECOND}`,
              ),
            ),
            ...crons.flatMap((expression, i) => cronTimes(expression, end).map((time) => `cron${i}@${time - T0}`)),
            ...starts.map((s, i) => `start${i}@${s * SECOND}`),
            ...delays.map((s, i) => `delay${i}@${s * SECOND}`),
          ];
          expect(cluster.fired.toSorted()).toEqual(expected.toSorted());
        }),
        { numRuns: amountOf(25, 4) },
      );
    },
    240_000,
  );

  function cronTimes(expression: string, end: number): number[] {
    const schedule = new CronSchedule(expression);
    const found: number[] = [];
    for (let time = schedule.next(new Date(T0))!; time.getTime() <= end; time = schedule.next(time)!)
      found.push(time.getTime());
    return found;
  }
});
