import type { StoredTrigger } from '@waymark/runtime';
import { resolveSchedulingOptions, type SchedulingOptions } from '../module/scheduling-options.js';
import { type DueTrigger, planOccurrence, type TriggerOccurrence } from './trigger-occurrence.js';

const T = Date.parse('2026-03-01T12:00:00Z');
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

function trigger(name: string, payload: object, dueAt = T): DueTrigger {
  const row: StoredTrigger = {
    id: 't',
    workflowDefinitionId: 'd',
    workflowDefinitionVersionId: 'd-1',
    name,
    activityId: 'A',
    hash: 'H',
    payload,
  };
  return { ...row, dueAt: new Date(dueAt) };
}
const timer = (interval: string, extra: object = {}): DueTrigger => trigger('Elsa.Timer', { interval, ...extra });
const cron = (cronExpression: string, extra: object = {}): DueTrigger =>
  trigger('Elsa.Cron', { cronExpression, ...extra });
const plan = (row: DueTrigger, lateMs: number, options: SchedulingOptions = {}): TriggerOccurrence =>
  planOccurrence(row, T + lateMs, resolveSchedulingOptions(options));
const minutesAfter = (due: Date | null): number | null => due && (due.getTime() - T) / MINUTE;

describe('planOccurrence', () => {
  describe('of a timer', () => {
    it('counts from the anchor, so that it does not drift', () => {
      expect(minutesAfter(plan(timer('00:01:00'), 850).nextDueAt)).toBe(1);
    });

    it('once: one firing replaces all missed ones, and the rhythm stays', () => {
      const { starts, nextDueAt } = plan(timer('00:10:00'), 3 * HOUR + 4 * MINUTE);
      expect([starts, minutesAfter(nextDueAt)]).toEqual([true, 190]);
    });

    it('once: the next one is later than now, even when now is an occurrence itself', () => {
      expect(minutesAfter(plan(timer('00:10:00'), 30 * MINUTE).nextDueAt)).toBe(40);
    });

    it('all: the next one may have passed as well', () => {
      const { starts, nextDueAt } = plan(timer('00:10:00'), 3 * HOUR, { misfire: { timer: 'all' } });
      expect([starts, minutesAfter(nextDueAt)]).toEqual([true, 10]);
    });

    it('skip: a missed one is skipped, one that is hardly late is not', () => {
      const options: SchedulingOptions = { misfire: { timer: 'skip' }, misfireThresholdMs: 5000 };
      expect(plan(timer('00:10:00'), 5000, options).starts).toBe(true);
      const missed = plan(timer('00:10:00'), 5001, options);
      expect([missed.starts, minutesAfter(missed.nextDueAt)]).toEqual([false, 10]);
    });

    it('does not repeat with an invalid interval', () => {
      expect(plan(timer('00:00:00'), 0).nextDueAt).toBeNull();
    });

    it('does not go beyond what a database can hold', () => {
      expect(plan(timer('10000000.00:00:00'), 0).nextDueAt).toBeNull();
    });

    it('gives the workflow its start, interval and time', () => {
      expect(plan(timer('00:01:00'), 0).input).toEqual({
        StartAt: new Date(T),
        Interval: '00:01:00',
        ScheduledAt: new Date(T),
      });
    });
  });

  describe('of a cron', () => {
    it('skip: left out when missed, then the next one after now', () => {
      const { starts, nextDueAt } = plan(cron('0 * * * *'), 3 * HOUR + MINUTE);
      expect([starts, minutesAfter(nextDueAt)]).toEqual([false, 240]);
    });

    it('skip: fires when it is hardly late', () => {
      const { starts, nextDueAt } = plan(cron('0 * * * *'), 20);
      expect([starts, minutesAfter(nextDueAt)]).toEqual([true, 60]);
    });

    it('once: one firing, then the next one after now', () => {
      const { starts, nextDueAt } = plan(cron('0 * * * *'), 3 * HOUR + MINUTE, { misfire: { cron: 'once' } });
      expect([starts, minutesAfter(nextDueAt)]).toEqual([true, 240]);
    });

    it('with misfire all, the next occurrence is the one after the missed one', () => {
      const { starts, nextDueAt } = plan(cron('0 * * * *'), 3 * HOUR, { misfire: { cron: 'all' } });
      expect([starts, minutesAfter(nextDueAt)]).toEqual([true, 60]);
    });

    it('follows the time zone', () => {
      const row = cron('30 3 * * *', { timeZone: 'Europe/Vilnius' });
      const { nextDueAt } = planOccurrence(
        { ...row, dueAt: new Date('2026-03-28T01:30:00Z') },
        Date.parse('2026-03-28T01:30:00Z'),
        resolveSchedulingOptions(),
      );
      expect(nextDueAt).toEqual(new Date('2026-03-29T01:00:00Z'));
    });

    it('prefers the policy of the trigger', () => {
      expect(plan(cron('0 * * * *', { misfire: 'once' }), 3 * HOUR).starts).toBe(true);
      expect(plan(timer('01:00:00', { misfire: 'skip' }), 3 * HOUR).starts).toBe(false);
    });

    it('gives the workflow its expression and time', () => {
      expect(plan(cron('0 * * * *'), 0).input).toEqual({ CronExpression: '0 * * * *', ScheduledAt: new Date(T) });
    });

    it('does not hide an expression that was never validated', () => {
      expect(() => plan(cron('nonsense'), 0)).toThrow('Error when parsing cron expression');
    });
  });

  it('the occurrence of a StartAt is its only one, however late', () => {
    const executeAt = new Date(T);
    const { starts, nextDueAt, input } = plan(trigger('Elsa.StartAt', { executeAt }), 100 * HOUR);
    expect([starts, nextDueAt, input]).toEqual([true, null, { ExecuteAt: executeAt, ScheduledAt: executeAt }]);
  });

  it('the occurrence of an unknown trigger is its only one', () => {
    expect(plan(trigger('App.Sunrise', {}), 0)).toEqual({
      starts: true,
      nextDueAt: null,
      input: { ScheduledAt: new Date(T) },
    });
  });
});
