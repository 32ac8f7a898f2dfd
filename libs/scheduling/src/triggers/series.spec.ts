import fc from 'fast-check';
import { firstCronOccurrence, firstTimerOccurrence } from './first-occurrence.js';
import { namedTime, nextOccurrence } from './trigger-occurrence.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const T0 = Date.parse('2026-03-01T10:00:00Z');
const MOST = 12;

/** The time before its beginning would have the whole of its jitter until its end. */
const AT_ITS_BEGINNING = {
  kind: 'Elsa.Cron',
  stepMinutes: 1,
  jitterMs: MINUTE,
  fromMs: 51 * MINUTE + 1,
  untilMs: MINUTE - 1,
  nowMs: 0,
  lateMs: 0,
} as const;

/** When each named time fires: later by the jitter, by the end at the latest, and no two at once. */
function firings(named: readonly number[], jitterMs: number, until: number, now: number) {
  const found: { named: number; due: number }[] = [];
  for (const time of named) {
    const due = Math.min(time + jitterMs, until);
    if (time > until || due <= (found.at(-1)?.due ?? now)) continue;
    found.push({ named: time, due });
  }
  return found.slice(0, MOST);
}

it('a series with jitter and validity fires each of its times, by its end, and names it without the jitter', () => {
  const series = fc.record({
    kind: fc.constantFrom('Elsa.Cron', 'Elsa.Timer'),
    stepMinutes: fc.constantFrom(1, 5, 15, 30),
    jitterMs: fc.integer({ min: 0, max: 20 * MINUTE }),
    fromMs: fc.integer({ min: -120 * MINUTE, max: 90 * MINUTE }),
    untilMs: fc.option(fc.integer({ min: 1, max: 180 * MINUTE }), { nil: undefined }),
    nowMs: fc.integer({ min: 0, max: 60 * MINUTE }),
    lateMs: fc.integer({ min: 0, max: 90 * MINUTE }),
  });
  fc.assert(
    fc.property(series, ({ kind, stepMinutes, jitterMs, fromMs, untilMs, nowMs, lateMs }) => {
      const [step, from, now] = [stepMinutes * MINUTE, T0 + fromMs, T0 + nowMs];
      const until = untilMs === undefined ? Infinity : from + untilMs;
      const timing = {
        validFrom: new Date(from).toISOString(),
        ...(untilMs !== undefined && { validUntil: new Date(until).toISOString() }),
        ...(jitterMs > 0 && { jitter: '00:20:00', jitterMs }),
      };
      const cron = { cronExpression: `*/${stepMinutes} * * * *`, ...timing };
      const payload = kind === 'Elsa.Cron' ? cron : { interval: step, ...timing };
      const anchor = kind === 'Elsa.Cron' ? Math.ceil(from / step) * step : from;
      const named = Array.from({ length: 400 }, (_, n) => anchor + n * step);
      const found: { named: number; due: number }[] = [];
      let due = kind === 'Elsa.Cron' ? firstCronOccurrence(cron, now) : firstTimerOccurrence(payload as never, now);
      for (; due && found.length < MOST; due = nextOccurrence({ name: kind, payload }, due))
        found.push({ named: namedTime({ name: kind, payload, dueAt: due }).getTime(), due: due.getTime() });
      expect(found).toEqual(firings(named, jitterMs, until, now));
      // After some were missed, the next one is the first that is later than now.
      const [first] = found;
      if (!first) return;
      const after = first.due + lateMs;
      const next = nextOccurrence({ name: kind, payload }, new Date(first.due), after);
      const [expected] = firings(named, jitterMs, until, after);
      expect(next?.getTime()).toBe(first.due === until ? undefined : expected?.due);
    }),
    { examples: [[AT_ITS_BEGINNING]] },
  );
});
