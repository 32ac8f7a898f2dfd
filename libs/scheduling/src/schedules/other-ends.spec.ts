import { Logger } from '@nestjs/common';
import type { TestingModule } from '@nestjs/testing';
import type { ScheduledRequest } from '@waymark/runtime';
import { at, HOUR, MINUTE, scheduler, schedules, SchedulingNodes } from './scheduling-nodes.spec.js';

const start: ScheduledRequest = { definition: 'w' };

describe('a series that is scheduled again with another end', () => {
  let cluster: SchedulingNodes;
  let app: TestingModule;

  beforeAll(() => Logger.overrideLogger(false));
  afterAll(() => Logger.overrideLogger(undefined as never));
  beforeEach(async () => {
    cluster = new SchedulingNodes();
    app = await cluster.start();
    await cluster.publish(app, 'w');
  });
  afterEach(() => cluster.close());

  const hourly = (until?: string) =>
    scheduler(app).scheduleRecurring('x', HOUR, start, until === undefined ? {} : { until: at(until) });
  const nextTimes = async () =>
    (await schedules(app).find('x')).nextTimes.map((time) => time.toISOString().slice(11, 16));

  it.each<[string, string | undefined, string[]]>([
    ['a later one', '14:30:00', ['12:00', '13:00', '14:00']],
    ['an earlier one', '12:30:00', ['12:00']],
    ['none', undefined, ['12:00', '13:00', '14:00', '15:00', '16:00']],
  ])('keeps its rhythm and its latest firing with %s, however often', async (_, until, expected) => {
    await hourly('13:30:00');
    await cluster.clock.advance(HOUR + 40 * MINUTE);
    for (let times = 0; times < 3; times++) {
      expect(await hourly(until)).toBe(true);
      expect(await nextTimes()).toEqual(expected);
      await cluster.clock.advance(MINUTE);
    }
    expect((await schedules(app).find('x')).lastFiring).toMatchObject({ scheduledAt: at('11:00:00') });
    await cluster.clock.advance(HOUR);
    expect(await cluster.startedAt()).toEqual(['11:00:00', '12:00:00']);
  });

  it('keeps its rhythm when it had none', async () => {
    await hourly();
    await cluster.clock.advance(40 * MINUTE);
    await hourly('12:30:00');
    expect(await nextTimes()).toEqual(['11:00', '12:00']);
  });

  it('ends with one before its next time', async () => {
    await hourly('13:30:00');
    await cluster.clock.advance(10 * MINUTE);
    expect(await hourly('10:30:00')).toBe(false);
    expect((await schedules(app).list()).totalCount).toBe(0);
  });

  it('stays paused, and continues in its rhythm', async () => {
    await hourly('13:30:00');
    await schedules(app).pause('x');
    await cluster.clock.advance(HOUR + 40 * MINUTE);
    await hourly('14:30:00');
    expect((await schedules(app).find('x')).pausedAt).toEqual(at('10:00:00'));
    await schedules(app).resume('x');
    expect(await nextTimes()).toEqual(['12:00', '13:00', '14:00']);
  });

  it('fires once what was missed and is not fired yet', async () => {
    await hourly('11:30:00');
    await cluster.close();
    await cluster.clock.advance(2 * HOUR);
    app = await cluster.start({ enabled: false });
    expect(await hourly('11:00:00')).toBe(true);
    await cluster.start();
    await cluster.clock.advance(2 * HOUR);
    expect(await cluster.startedAt()).toEqual(['12:00:00']);
  });

  it('has its last time earlier if its end shortens the jitter of it', async () => {
    const jittered = (until: string) =>
      scheduler(app).scheduleCron('x', '0 0 * * * *', start, { jitter: '20m', until: at(until) });
    await jittered('20:00:00');
    await cluster.clock.advance(30 * MINUTE);
    const [due] = (await schedules(app).find('x')).nextTimes;
    expect(due! > at('11:00:00')).toBe(true);
    expect(await jittered('11:00:00')).toBe(true);
    expect((await schedules(app).find('x')).nextTimes).toEqual([at('11:00:00')]);
    await cluster.clock.advance(HOUR);
    expect((await cluster.startedAt()).slice(1)).toEqual(['11:00:00']);
  });

  it('starts anew with another interval, expression, zone or start', async () => {
    const until = at('20:00:00');
    await scheduler(app).scheduleCron('x', '0 0 * * * *', start, { until, timeZone: 'UTC' });
    await cluster.clock.advance(HOUR);
    const lastFiring = async () => (await schedules(app).find('x')).lastFiring;
    await scheduler(app).scheduleCron('x', ' 0 0 * * * *', start, { until: at('21:00:00') });
    expect(await lastFiring()).toBeDefined();
    await scheduler(app).scheduleCron('x', '0 0 * * * *', start, { until, timeZone: 'Europe/Vilnius' });
    expect(await lastFiring()).toBeUndefined();
    await scheduler(app).scheduleRecurring('x', HOUR, start, { until });
    expect(await nextTimes()).toContain('12:00');
    await cluster.clock.advance(MINUTE);
    await scheduler(app).scheduleRecurring('x', HOUR, start, { until, startAt: at('11:30:00') });
    expect((await nextTimes())[0]).toBe('11:30');
  });
});
