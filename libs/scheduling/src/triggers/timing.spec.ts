import { resolveSchedulingOptions } from '../module/scheduling-options.js';
import { firstCronOccurrence, firstTimerOccurrence } from './first-occurrence.js';
import { type DueTrigger, nextOccurrence, planOccurrence } from './trigger-occurrence.js';

const NOW = Date.parse('2026-03-01T10:20:00Z');
const MINUTE = 60_000;
const text = (date: Date | null | undefined): string | null => date?.toISOString().slice(5, 16) ?? null;

const trigger = (name: string, payload: object, dueAt: Date): DueTrigger => ({
  id: 't',
  workflowDefinitionId: 'd',
  workflowDefinitionVersionId: 'd-1',
  name,
  activityId: 'A',
  hash: 'H',
  payload,
  dueAt,
});

/** The first times of a trigger that is published now. */
function times(name: 'Elsa.Timer' | 'Elsa.Cron', payload: object, count = 3): (string | null)[] {
  const first = name === 'Elsa.Timer' ? firstTimerOccurrence : firstCronOccurrence;
  const found: (Date | null)[] = [first(payload as never, NOW)];
  for (let last = found[0]; last && found.length < count; found.push(last))
    last = nextOccurrence(trigger(name, payload, last), last);
  return found.map(text);
}

describe('validity', () => {
  it.each([
    [{}, ['03-01T11:20', '03-01T12:20', '03-01T13:20']],
    [{ validFrom: '2026-03-02T08:00:00Z' }, ['03-02T08:00', '03-02T09:00', '03-02T10:00']],
    // Counted from it, also when it is over.
    [{ validFrom: '2026-02-01T08:30:00Z' }, ['03-01T10:30', '03-01T11:30', '03-01T12:30']],
    [{ validUntil: '2026-03-01T12:20:00Z' }, ['03-01T11:20', '03-01T12:20', null]],
    [{ validUntil: '2026-03-01T10:00:00Z' }, [null]],
  ])('the validity of a timer of an hour limits its times: %j', (timing, expected) => {
    expect(times('Elsa.Timer', { interval: '01:00:00', ...timing })).toEqual(expected);
  });

  it.each([
    [{ validFrom: '2026-03-05T00:00:00Z' }, ['03-05T00:00', '03-06T00:00', '03-07T00:00']],
    [{ validFrom: '2026-03-05T00:00:01Z', validUntil: '2026-03-07' }, ['03-06T00:00', '03-07T00:00', null]],
  ])('the validity of a daily cron limits its times: %j', (timing, expected) => {
    expect(times('Elsa.Cron', { cronExpression: '0 0 * * *', ...timing })).toEqual(expected);
  });
});

describe('jitter', () => {
  const jitter = { jitter: '00:10:00', jitterMs: 4 * MINUTE };

  it('moves all times of a timer by the same', () => {
    expect(times('Elsa.Timer', { interval: '01:00:00', ...jitter })).toEqual([
      '03-01T11:24',
      '03-01T12:24',
      '03-01T13:24',
    ]);
  });

  it('moves all times of a cron expression, also one that is just over', () => {
    expect(times('Elsa.Cron', { cronExpression: '18 * * * *', ...jitter })).toEqual([
      '03-01T10:22',
      '03-01T11:22',
      '03-01T12:22',
    ]);
    const validFrom = '2026-03-01T10:18:01Z';
    expect(times('Elsa.Cron', { cronExpression: '18 * * * *', ...jitter, validFrom }, 1)).toEqual(['03-01T11:22']);
  });

  it.each<[string, 'Elsa.Timer' | 'Elsa.Cron', object, (string | null)[]]>([
    [
      'a cron',
      'Elsa.Cron',
      { cronExpression: '0 * * * *', validUntil: '2026-03-01T12:02:00Z' },
      ['11:04', '12:02', null],
    ],
    [
      'a cron that ends with its last time',
      'Elsa.Cron',
      { cronExpression: '0 * * * *', validUntil: '2026-03-01T12:00:00Z' },
      ['11:04', '12:00', null],
    ],
    [
      'a timer with a start',
      'Elsa.Timer',
      { interval: '01:00:00', validFrom: '2026-03-01T09:00:00Z', validUntil: '2026-03-01T12:02:00Z' },
      ['11:04', '12:02', null],
    ],
    [
      'a timer that starts at its end',
      'Elsa.Timer',
      { interval: '01:00:00', validFrom: '2026-03-01T11:00:00Z', validUntil: '2026-03-01T11:01:00Z' },
      ['11:01', null],
    ],
    [
      'times that are closer than the jitter',
      'Elsa.Cron',
      { cronExpression: '* * * * *', validUntil: '2026-03-01T10:22:00Z' },
      ['10:21', '10:22', null],
    ],
    [
      'the whole of it',
      'Elsa.Cron',
      { cronExpression: '0 * * * *', validUntil: '2026-03-01T12:04:00Z' },
      ['11:04', '12:04', null],
    ],
  ])('delays the last time to the end of the validity at most: %s', (_, name, payload, expected) => {
    expect(times(name, { ...payload, ...jitter }).map((time) => time?.slice(6) ?? null)).toEqual(expected);
  });

  it.each<[string, string, object]>([
    ['a cron', 'Elsa.Cron', { cronExpression: '0 * * * *', validUntil: '2026-03-01T12:02:00Z' }],
    ['a cron with the whole of it', 'Elsa.Cron', { cronExpression: '0 * * * *', validUntil: '2026-03-01T12:04:00Z' }],
    [
      'a timer with a start',
      'Elsa.Timer',
      { interval: '01:00:00', validFrom: '2026-03-01T09:00:00Z', validUntil: '2026-03-01T12:02:00Z' },
    ],
    [
      'a timer that starts at its end',
      'Elsa.Timer',
      { interval: '01:00:00', validFrom: '2026-03-01T12:00:00Z', validUntil: '2026-03-01T12:02:00Z' },
    ],
  ])('is not part of the last time either: %s', (_, name, payload) => {
    const { validUntil } = payload as { validUntil: string };
    const due = trigger(name, { ...payload, ...jitter }, new Date(validUntil));
    const { input, nextDueAt } = planOccurrence(due, Date.parse(validUntil), resolveSchedulingOptions());
    expect([text(input.ScheduledAt as Date), nextDueAt]).toEqual(['03-01T12:00', null]);
  });

  it('is not part of the time that the workflow sees', () => {
    const due = trigger('Elsa.Cron', { cronExpression: '18 * * * *', ...jitter }, new Date(NOW + 2 * MINUTE));
    const { input, nextDueAt } = planOccurrence(due, NOW + 2 * MINUTE, resolveSchedulingOptions());
    expect([text(input.ScheduledAt as Date), text(nextDueAt)]).toEqual(['03-01T10:18', '03-01T11:22']);
  });
});

it('a time after the end, to which a node has moved a row that did not know of it, starts nothing', () => {
  const payload = { interval: '01:00:00', validUntil: '2026-03-01T10:00:00Z' };
  const plan = planOccurrence(trigger('Elsa.Timer', payload, new Date(NOW)), NOW, resolveSchedulingOptions());
  expect([plan.starts, plan.nextDueAt]).toEqual([false, null]);
});

it('a queued occurrence does not count as missed, unless the trigger says so', () => {
  const plan = (more: object) =>
    planOccurrence(
      trigger('Elsa.Cron', { cronExpression: '0 * * * *', overlap: 'queue', ...more }, new Date(NOW - 140 * MINUTE)),
      NOW,
      resolveSchedulingOptions(),
    );
  expect([plan({}).starts, text(plan({}).nextDueAt)]).toEqual([true, '03-01T09:00']);
  expect([plan({ misfire: 'once' }).starts, text(plan({ misfire: 'once' }).nextDueAt)]).toEqual([true, '03-01T11:00']);
});
