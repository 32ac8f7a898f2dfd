import { Logger } from '@nestjs/common';
import type { TestingModule } from '@nestjs/testing';
import type { IWorkflowScheduler, ScheduledRequest } from '@waymark/runtime';
import { at, HOUR, literal, MINUTE, scheduler, schedules, SchedulingNodes, SECOND } from './scheduling-nodes.spec.js';

const start: ScheduledRequest = { definition: 'w' };
const until = at('10:30:00');

describe('a schedule of which all times have passed', () => {
  let cluster: SchedulingNodes;
  let app: TestingModule;
  const lines: string[] = [];

  beforeEach(async () => {
    lines.length = 0;
    const note = (text: unknown): void => void lines.push(String(text));
    jest.spyOn(Logger.prototype, 'log').mockImplementation(note);
    jest.spyOn(Logger.prototype, 'warn').mockImplementation(note);
    cluster = new SchedulingNodes();
    app = await cluster.start();
    await cluster.publish(app, 'w');
  });
  afterEach(() => cluster.close());

  it.each<[string, (s: IWorkflowScheduler) => Promise<boolean>]>([
    ['a time', (s) => s.scheduleAt('x', at('09:59:59'), start)],
    ['the time of now', (s) => s.scheduleAt('x', at('10:00:00'), start)],
    ['an end before the first interval', (s) => s.scheduleRecurring('x', HOUR, start, { until })],
    ['an end before the first match', (s) => s.scheduleCron('x', '0 0 11 * * *', start, { until })],
    ['a bookmark that is gone', (s) => s.scheduleAt('x', at('09:00:00'), { bookmarkId: 'gone' })],
  ])('is not stored, and the caller and the log have it: %s', async (_, schedule) => {
    expect(await schedule(scheduler(app))).toBe(false);
    expect((await schedules(app).list()).totalCount).toBe(0);
    expect(lines).toContain('Schedule "x" is not stored: all of its times have passed.');
  });

  it.each<[string, (s: IWorkflowScheduler) => Promise<boolean>]>([
    ['a time', (s) => s.scheduleAt('x', until, start)],
    ['an interval', (s) => s.scheduleRecurring('x', HOUR, start)],
    ['an expression', (s) => s.scheduleCron('x', '@daily', start)],
  ])('is not one that has a time: %s', async (_, schedule) => {
    expect(await schedule(scheduler(app))).toBe(true);
    expect((await schedules(app).list()).totalCount).toBe(1);
  });

  it('ends the one that it replaces, which would fire at a time that was withdrawn', async () => {
    await scheduler(app).scheduleAt('x', at('11:00:00'), start);
    expect(await scheduler(app).scheduleAt('x', at('09:00:00'), start)).toBe(false);
    expect((await schedules(app).list()).totalCount).toBe(0);
    await cluster.clock.advance(2 * HOUR);
    expect(await cluster.startedAt()).toEqual([]);
  });

  it('lets one with the same time fire that no node could fire yet, once', async () => {
    await scheduler(app).scheduleAt('x', until, start);
    await cluster.close();
    await cluster.clock.advance(HOUR);
    const idle = await cluster.start({ enabled: false });
    expect(await scheduler(idle).scheduleAt('x', until, start)).toBe(true);
    await cluster.start();
    await cluster.clock.advance(MINUTE);
    expect(await cluster.startedAt()).toEqual(['11:00:00']);
    expect(await scheduler(idle).scheduleAt('x', until, start)).toBe(false);
    await cluster.clock.advance(HOUR);
    expect(await cluster.startedAt()).toEqual(['11:00:00']);
  });

  it('is not a start that an activation strategy refuses, which the log has', async () => {
    const wait = { id: 'E', type: 'Elsa.Event', eventName: literal('String', 'go') };
    await cluster.publish(app, 'single', wait, { activationStrategyType: 'Singleton' });
    await scheduler(app).scheduleRecurring('beat', MINUTE, { definition: 'single' });
    await cluster.clock.advance(2 * MINUTE + SECOND);
    expect(await cluster.startedAt()).toEqual(['10:01:00']);
    expect(lines.filter((line) => line.includes(`was not started by schedule 'beat'`))).toHaveLength(1);
  });
});
