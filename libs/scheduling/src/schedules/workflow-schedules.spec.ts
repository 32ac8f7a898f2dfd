import { Logger } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';
import { Test, type TestingModule } from '@nestjs/testing';
import {
  IWorkflowDefinitionPublisher,
  IWorkflowRuntime,
  IWorkflowSchedules,
  IWorkflowStarter,
  MemoryPersistence,
  type ScheduleRefusedError,
} from '@waymark/runtime';
import { resolveRuntimeOptions, RUNTIME_OPTIONS, WorkflowRuntimeModule } from '@waymark/runtime/adapter';
import { VirtualClock } from '@waymark/testing';
import { schedulingProviders } from '../module/scheduling.module.js';
import { resolveSchedulingOptions, SCHEDULING_OPTIONS, type SchedulingOptions } from '../module/scheduling-options.js';

const T0 = '2026-03-01T10:00:00Z';
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const literal = (typeName: string, value: unknown) => ({ typeName, expression: { type: 'Literal', value } });
const trigger = (type: string, inputs: object, customProperties: object = {}) => ({
  id: 'T',
  type: `Elsa.${type}`,
  customProperties: { canStartWorkflow: true, ...customProperties },
  ...inputs,
});
const every = (interval: string, more?: object) => trigger('Timer', { interval: literal('TimeSpan', interval) }, more);
const cron = (expression: string, timeZone: string) =>
  trigger('Cron', { cronExpression: literal('String', expression), timeZone: literal('String', timeZone) });
const startAt = (time: string) => trigger('StartAt', { dateTime: literal('DateTimeOffset', time) });
const delay = (span: string) => ({ id: 'D', type: 'Elsa.Delay', timeSpan: literal('TimeSpan', span) });

/** Nodes with the real runtime, in memory, on one virtual clock and one store. */
describe('schedules', () => {
  let clock: VirtualClock;
  let store: MemoryPersistence;
  let nodes: TestingModule[];

  async function node(options: SchedulingOptions = {}): Promise<TestingModule> {
    const parts = {
      imports: [ScheduleModule.forRoot()],
      providers: [
        {
          provide: RUNTIME_OPTIONS,
          useValue: resolveRuntimeOptions({ clock, persistence: store, pollIntervalMs: HOUR }),
        },
        { provide: SCHEDULING_OPTIONS, useValue: resolveSchedulingOptions(options) },
        ...schedulingProviders,
      ],
    };
    const app = await Test.createTestingModule({ imports: [WorkflowRuntimeModule.compose(parts)] }).compile();
    await app.init();
    nodes.push(app);
    await clock.advance(0);
    return app;
  }

  beforeAll(() => Logger.overrideLogger(false));
  afterAll(() => Logger.overrideLogger(undefined as never));
  beforeEach(() => {
    clock = new VirtualClock(T0);
    store = new MemoryPersistence();
    nodes = [];
  });
  afterEach(async () => {
    for (const app of nodes) await app.close();
  });

  const publish = async (app: TestingModule, root: object, definitionId = 'w', more: object = {}) => {
    const model = { definitionId, root: root as never, ...more };
    expect((await app.get(IWorkflowDefinitionPublisher).saveAndPublish(model)).problems).toEqual([]);
  };
  const startedAt = async (): Promise<string[]> =>
    (await store.instances.findMany({})).items.map((i) => i.createdAt.toISOString().slice(11, 19)).toSorted();
  const times = (dates: readonly Date[]): string[] => dates.map((date) => date.toISOString().slice(5, 16));
  const only = async (schedules: IWorkflowSchedules) => (await schedules.list()).items[0]!;

  it('schedules are listed with what they are and their next times, by the next one', async () => {
    const app = await node();
    await publish(app, startAt('2026-03-01T10:30:00Z'), 'once');
    await publish(app, every('01:00:00'), 'hourly');
    // Clocks change in Vilnius on the 29th.
    await publish(app, cron('0 30 8 28-31 * *', 'Europe/Vilnius'), 'mornings');
    await publish(app, { id: 'E', type: 'Elsa.Event', eventName: literal('String', 'e') }, 'no-timer');
    const schedules = app.get(IWorkflowSchedules);
    const { items, totalCount } = await schedules.list({ times: 3 });
    expect(totalCount).toBe(3);
    expect(
      items.map(({ kind, workflowDefinitionId, activityId, expression, timeZone, nextTimes }) => [
        [kind, workflowDefinitionId, activityId, expression, timeZone].join(' '),
        times(nextTimes),
      ]),
    ).toEqual([
      ['StartAt once T 2026-03-01T10:30:00.000Z ', ['03-01T10:30']],
      ['Timer hourly T 01:00:00 ', ['03-01T11:00', '03-01T12:00', '03-01T13:00']],
      ['Cron mornings T 0 30 8 28-31 * * Europe/Vilnius', ['03-28T06:30', '03-29T05:30', '03-30T05:30']],
    ]);
    const found = async (query: object) => (await schedules.list(query)).items.map((s) => s.workflowDefinitionId);
    expect(await found({ kinds: ['Cron', 'Timer'] })).toEqual(['hourly', 'mornings']);
    expect(await found({ workflowDefinitionIds: ['once'] })).toEqual(['once']);
    expect(await found({ skip: 1, take: 1 })).toEqual(['hourly']);
    expect(await found({ paused: true })).toEqual([]);
    expect((await schedules.find(items[2]!.id)).nextTimes).toHaveLength(5);
    expect((await schedules.find(items[2]!.id, 0)).nextTimes).toEqual([]);
  });

  it.each([
    [{ take: 0 }, /'take' .* from 1 to 500, not 0/],
    [{ take: 501 }, /'take'/],
    [{ skip: -1 }, /'skip'/],
    [{ times: 51 }, /'times'/],
    [{ times: Number.NaN }, /'times'/],
  ])('schedules refuse a request out of bounds: %j', async (query, message) => {
    const schedules = (await node()).get(IWorkflowSchedules);
    await expect(schedules.list(query)).rejects.toMatchObject({
      code: 'WM4033',
      message: expect.stringMatching(message),
    });
  });

  it('schedules show their last firing, its delay and its result', async () => {
    const app = await node();
    await publish(app, { id: 'S', type: 'Elsa.Sequence', activities: [every('00:10:00'), delay('05:00:00')] }, 'w', {
      options: { activationStrategyType: 'Singleton' },
    });
    const schedules = app.get(IWorkflowSchedules);
    expect(await only(schedules)).not.toHaveProperty('lastFiring');
    await clock.advance(10 * MINUTE);
    const scheduledAt = new Date('2026-03-01T10:10:00Z');
    expect((await only(schedules)).lastFiring).toEqual({
      scheduledAt,
      firedAt: scheduledAt,
      latenessMs: 0,
      result: 'Started',
    });
    await clock.advance(10 * MINUTE);
    expect((await only(schedules)).lastFiring).toMatchObject({ result: 'Refused', latenessMs: 0 });
    await app.close();
    await clock.advance(35 * MINUTE);
    const { lastFiring } = await only((await node()).get(IWorkflowSchedules));
    // One firing stands for those at 10:30, 10:40 and 10:50.
    expect(lastFiring).toMatchObject({ scheduledAt: new Date('2026-03-01T10:30:00Z'), latenessMs: 25 * MINUTE });
  });

  it('schedules show overdue times, and why firing fails', async () => {
    const app = await node();
    await publish(app, every('00:10:00'));
    const broken = new Error('broken on purpose');
    // Not claimed together with others, it claims for itself, and fails for itself.
    jest.spyOn(store.triggers, 'claim').mockRejectedValueOnce(broken);
    const failing = jest.spyOn(store, 'commit').mockRejectedValue(broken);
    await clock.advance(10 * MINUTE + 100);
    const { overdueMs, failure, nextTimes } = await only(app.get(IWorkflowSchedules));
    failing.mockRestore();
    expect([overdueMs, times(nextTimes)[0]]).toEqual([100, '03-01T10:10']);
    expect(failure).toMatchObject({ attempts: 1, lastError: 'broken on purpose' });
  });

  it('schedules fire on no node while they are paused, and continue in their rhythm', async () => {
    const [one, two] = [await node(), await node()];
    await publish(one, every('00:10:00', { misfire: 'all' }));
    const { id } = await only(two.get(IWorkflowSchedules));
    await clock.advance(10 * MINUTE);
    const paused = await two.get(IWorkflowSchedules).pause(id);
    expect(paused).toMatchObject({ pausedAt: new Date('2026-03-01T10:10:00Z'), nextTimes: [] });
    expect(await one.get(IWorkflowSchedules).pause(id)).toEqual(paused);
    await clock.advance(25 * MINUTE);
    await two.close();
    await (await node()).close();
    expect(await startedAt()).toEqual(['10:10:00']);
    const resumed = await one.get(IWorkflowSchedules).resume(id);
    expect([resumed.pausedAt, times(resumed.nextTimes)[0]]).toEqual([undefined, '03-01T10:40']);
    await one.get(IWorkflowSchedules).resume(id);
    await clock.advance(15 * MINUTE);
    expect(await startedAt()).toEqual(['10:10:00', '10:40:00', '10:50:00']);
  });

  it('schedules stay paused when their workflow is published again, also with other times', async () => {
    const app = await node();
    const schedules = app.get(IWorkflowSchedules);
    await publish(app, every('00:10:00'));
    const { id } = await only(schedules);
    const { pausedAt } = await schedules.pause(id);
    await publish(app, every('00:10:00'));
    expect(await only(schedules)).toMatchObject({ id, pausedAt });
    await publish(app, every('00:05:00'));
    const changed = await only(schedules);
    expect(changed).toMatchObject({ expression: '00:05:00', pausedAt, nextTimes: [] });
    await clock.advance(HOUR);
    expect(await startedAt()).toEqual([]);
    expect(times((await schedules.resume(changed.id)).nextTimes)[0]).toBe('03-01T11:05');
  });

  it.each([
    ['is switched off', cron('', 'UTC')],
    ['has ended', every('00:20:00', { validUntil: '2026-03-01T10:00:00Z' })],
    ['ends before the time that it would have fired at', every('00:10:00', { validUntil: '2026-03-01T10:05:00Z' })],
  ])(
    'schedules stay paused by a version whose trigger %s, and start nothing when they are resumed then',
    async (_, off) => {
      const app = await node();
      const schedules = app.get(IWorkflowSchedules);
      await publish(app, every('00:10:00'));
      await schedules.pause((await only(schedules)).id);
      await publish(app, off);
      const { pausedAt } = await only(schedules);
      await publish(app, cron('*/5 * * * *', 'UTC'));
      expect((await only(schedules)).pausedAt).toEqual(pausedAt);
      await publish(app, off);
      await schedules.resume((await only(schedules)).id);
      await clock.advance(HOUR);
      expect([pausedAt, await startedAt()]).toEqual([new Date(T0), []]);
    },
  );

  it.each([
    ['skip', []],
    ['catchup', ['10:30:00']],
  ] as const)(
    'schedules that fire once and were paused over their time follow startAtInPast %s',
    async (policy, expected) => {
      const app = await node({ startAtInPast: policy });
      const schedules = app.get(IWorkflowSchedules);
      await publish(app, startAt('2026-03-01T10:10:00Z'));
      const { id } = await only(schedules);
      await schedules.pause(id);
      await clock.advance(30 * MINUTE);
      await schedules.resume(id);
      await clock.advance(MINUTE);
      expect(await startedAt()).toEqual(expected);
      await expect(schedules.pause(id)).rejects.toMatchObject({ code: 'WM4031' });
    },
  );

  it('schedules are fired by hand, which leaves their times alone', async () => {
    const app = await node();
    const schedules = app.get(IWorkflowSchedules);
    await publish(app, every('00:10:00'));
    const { id, nextTimes } = await only(schedules);
    await schedules.pause(id);
    await clock.advance(MINUTE);
    const start = jest.spyOn(app.get(IWorkflowStarter), 'start');
    const fired = await schedules.fire(id, 'by-mia');
    expect(fired.subStatus).toBe('Finished');
    await expect(schedules.fire(id, 'by-mia')).rejects.toMatchObject({
      code: 'WM7007',
      workflowInstanceId: fired.workflowInstanceId,
    });
    expect(start.mock.calls[0]![0]).toMatchObject({
      triggerActivityId: 'T',
      input: { ScheduledAt: new Date('2026-03-01T10:01:00Z'), Interval: '00:10:00' },
    });
    await schedules.resume(id);
    const after = await schedules.find(id);
    expect(after.nextTimes).toEqual(nextTimes);
    expect(after).not.toHaveProperty('lastFiring');
  });

  it('schedules say when the activation strategy refuses to be fired by hand', async () => {
    const app = await node();
    const options = { activationStrategyType: 'Singleton' };
    await publish(app, { id: 'S', type: 'Elsa.Sequence', activities: [every('00:10:00'), delay('01:00:00')] }, 'w', {
      options,
    });
    const schedules = app.get(IWorkflowSchedules);
    const { id } = await only(schedules);
    await schedules.fire(id);
    const message = expect.stringContaining('the activation strategy of workflow "w" refuses another instance now');
    await expect(schedules.fire(id)).rejects.toMatchObject({ code: 'WM4032', definitionId: 'w', message });
  });

  it.each([
    ['skip', "its overlap policy 'skip' skips"],
    ['queue', "its overlap policy 'queue' queues only occurrences"],
  ])('schedules say when overlap %s refuses to be fired by hand', async (overlap, why) => {
    const app = await node();
    const activities = [every('00:10:00', { overlap }), delay('01:00:00')];
    await publish(app, { id: 'S', type: 'Elsa.Sequence', activities });
    const schedules = app.get(IWorkflowSchedules);
    const { id } = await only(schedules);
    await schedules.fire(id);
    const error: ScheduleRefusedError = await schedules.fire(id).then(
      () => Promise.reject(new Error('It was fired.')),
      (caught: ScheduleRefusedError) => caught,
    );
    expect(error).toMatchObject({ code: 'WM4032', overlap, message: expect.stringContaining(why) });
    expect(error.message).not.toContain('strategy');
  });

  it('schedules are not found under other ids, nor those of triggers without a time', async () => {
    const app = await node();
    const schedules = app.get(IWorkflowSchedules);
    await publish(app, trigger('Event', { eventName: literal('String', 'e') }));
    const [event] = await store.triggers.findMany({});
    for (const id of ['absent', event!.id]) {
      for (const verb of ['find', 'fire', 'pause', 'resume'] as const)
        await expect(schedules[verb](id)).rejects.toMatchObject({ code: 'WM4030', scheduleId: id });
    }
  });

  it('schedules list the instances that wait for a time, page by page', async () => {
    const app = await node();
    await publish(app, delay('01:00:00'), 'long');
    await publish(app, delay('00:01:00'), 'short');
    const start = async (id: string, definition: string) =>
      (await app.get(IWorkflowRuntime).createClient(id)).createAndRunInstance({ definition, correlationId: `c-${id}` });
    await start('a', 'long');
    await start('b', 'short');
    await start('c', 'long');
    const schedules = app.get(IWorkflowSchedules);
    const ids = (page: { items: readonly { workflowInstanceId: string }[] }) =>
      page.items.map((item) => item.workflowInstanceId);
    const first = await schedules.waiting({ limit: 2 });
    expect(first.items[0]).toMatchObject({
      stimulus: 'Elsa.Delay',
      workflowInstanceId: 'b',
      correlationId: 'c-b',
      dueAt: new Date('2026-03-01T10:01:00Z'),
    });
    const rest = await schedules.waiting({ limit: 2, after: first.next });
    expect([...ids(first), ...ids(rest)].toSorted()).toEqual(['a', 'b', 'c']);
    expect(rest.next).toBeUndefined();
    expect(ids(await schedules.waiting({ dueBefore: new Date('2026-03-01T10:30:00Z') }))).toEqual(['b']);
    expect(ids(await schedules.waiting({ workflowInstanceId: 'c' }))).toEqual(['c']);
    expect(ids(await schedules.waiting({ stimuli: ['Elsa.Timer'] }))).toEqual([]);
    await expect(schedules.waiting({ after: 'anything' })).rejects.toMatchObject({ code: 'WM4033', member: 'after' });
    await expect(schedules.waiting({ limit: 1001 })).rejects.toMatchObject({ code: 'WM4033', member: 'limit' });
  });
});
