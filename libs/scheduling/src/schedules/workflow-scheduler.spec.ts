import { Logger } from '@nestjs/common';
import { EventEmitter2 } from '@nestjs/event-emitter';
import { ScheduleModule } from '@nestjs/schedule';
import { Test, type TestingModule } from '@nestjs/testing';
import { Activity, ActivityBase, type ActivityExecutionContext } from '@waymark/core';
import {
  IStimulusSender,
  IWorkflowDefinitionPublisher,
  IWorkflowRuntime,
  IWorkflowScheduler,
  IWorkflowSchedules,
  MemoryPersistence,
  type ScheduledRequest,
  WorkflowEvent,
  type WorkflowRuntimeOptions,
  type WorkflowSchedulesIndexed,
} from '@waymark/runtime';
import { resolveRuntimeOptions, RUNTIME_OPTIONS, WorkflowRuntimeModule } from '@waymark/runtime/adapter';
import { VirtualClock } from '@waymark/testing';
import { schedulingProviders } from '../module/scheduling.module.js';
import { resolveSchedulingOptions, SCHEDULING_OPTIONS, type SchedulingOptions } from '../module/scheduling-options.js';

const T0 = '2026-03-01T10:00:00Z';
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

const literal = (typeName: string, value: unknown) => ({ typeName, expression: { type: 'Literal', value } });
const at = (time: string) => new Date(`2026-03-01T${time}Z`);

/** What instances of `w` were started with. */
const inputs: unknown[] = [];

@Activity({ type: 'App.Note' })
class Note extends ActivityBase {
  execute(ctx: ActivityExecutionContext): unknown {
    inputs.push({ ...ctx.workflow.input });
    return ctx.complete();
  }
}

/** Nodes with the real runtime, in memory, on one virtual clock and one store. */
describe('IWorkflowScheduler', () => {
  let clock: VirtualClock;
  let store: MemoryPersistence;
  let nodes: TestingModule[];

  async function node(
    options: SchedulingOptions = {},
    more: Partial<WorkflowRuntimeOptions> = {},
  ): Promise<TestingModule> {
    const nodeName = `node-${nodes.length}`;
    const parts = {
      imports: [ScheduleModule.forRoot()],
      providers: [
        {
          provide: RUNTIME_OPTIONS,
          useValue: resolveRuntimeOptions({ clock, persistence: store, pollIntervalMs: MINUTE, nodeName, ...more }),
        },
        { provide: SCHEDULING_OPTIONS, useValue: resolveSchedulingOptions(options) },
        ...schedulingProviders,
        Note,
      ],
    };
    const app = await Test.createTestingModule({ imports: [WorkflowRuntimeModule.compose(parts)] }).compile();
    await app.init();
    nodes.push(app);
    await clock.advance(0);
    return app;
  }

  /** With a workflow `w` that ends at once, and `waits`, which waits for the event `go`. */
  async function published(
    options?: SchedulingOptions,
    more?: Partial<WorkflowRuntimeOptions>,
  ): Promise<TestingModule> {
    const app = await node(options, more);
    const publish = async (definitionId: string, root: object, options = {}) => {
      const model = { definitionId, root: root as never, options };
      expect((await app.get(IWorkflowDefinitionPublisher).saveAndPublish(model)).problems).toEqual([]);
    };
    await publish('w', { id: 'N', type: 'App.Note' });
    await publish('waits', { id: 'E', type: 'Elsa.Event', eventName: literal('String', 'go') });
    await publish('single', { id: 'N', type: 'App.Note' }, { activationStrategyType: 'Singleton' });
    return app;
  }

  beforeAll(() => Logger.overrideLogger(false));
  afterAll(() => Logger.overrideLogger(undefined as never));
  beforeEach(() => {
    clock = new VirtualClock(T0);
    store = new MemoryPersistence();
    nodes = [];
    inputs.length = 0;
  });
  afterEach(async () => {
    for (const app of nodes) await app.close();
  });

  const scheduler = (app: TestingModule) => app.get(IWorkflowScheduler);
  const schedules = (app: TestingModule) => app.get(IWorkflowSchedules);
  const instances = async () => (await store.instances.findMany({})).items;
  const startedAt = async (): Promise<string[]> =>
    (await instances()).map(({ createdAt }) => createdAt.toISOString().slice(11, 19)).toSorted();
  const start: ScheduledRequest = { definition: 'w' };
  const single: ScheduledRequest = { definition: 'single' };
  const resume: ScheduledRequest = { activity: 'Elsa.Event', stimulus: { eventName: 'go' } };

  it('starts a workflow once at a time, with what it was given, and forgets the schedule', async () => {
    const app = await published();
    await scheduler(app).scheduleAt('remind', at('10:00:30'), {
      definition: 'w',
      correlationId: 'order-1',
      name: 'Reminder',
      input: { orderId: 1 },
    });
    await clock.advance(29_999);
    expect(await instances()).toEqual([]);
    await clock.advance(1);
    const [instance] = await instances();
    expect(instance).toMatchObject({
      definitionId: 'w',
      correlationId: 'order-1',
      name: 'Reminder',
      subStatus: 'Finished',
    });
    expect(inputs).toEqual([{ orderId: 1, ScheduledAt: at('10:00:30') }]);
    expect((await schedules(app).list()).totalCount).toBe(0);
    await clock.advance(HOUR);
    expect(await instances()).toHaveLength(1);
  });

  it('starts at an interval without drift, from a first time on, and until a last one', async () => {
    const app = await published();
    const options = { startAt: at('10:00:10'), until: at('10:02:15') };
    await scheduler(app).scheduleRecurring('beat', '00:01:00', start, options);
    await clock.advance(10 * MINUTE);
    expect(await startedAt()).toEqual(['10:00:10', '10:01:10', '10:02:10']);
    expect((await schedules(app).list()).totalCount).toBe(0);
  });

  it('starts at the times of a cron expression, in a zone', async () => {
    const app = await published();
    await scheduler(app).scheduleCron('noon', '0 13 * * *', start, { timeZone: 'Europe/Vilnius' });
    expect(await schedules(app).find('noon', 2)).toMatchObject({
      id: 'noon',
      origin: 'Application',
      kind: 'Cron',
      expression: '0 13 * * *',
      timeZone: 'Europe/Vilnius',
      workflowDefinitionId: 'w',
      nextTimes: [at('11:00:00'), new Date('2026-03-02T11:00:00Z')],
    });
    await clock.advance(HOUR);
    expect(await startedAt()).toEqual(['11:00:00']);
    expect((await schedules(app).find('noon')).lastFiring).toEqual({
      scheduledAt: at('11:00:00'),
      firedAt: at('11:00:00'),
      latenessMs: 0,
      result: 'Sent',
    });
  });

  it('resumes one bookmark, and ends when the bookmark no longer exists', async () => {
    const app = await published();
    const client = await app.get(IWorkflowRuntime).createClient('i');
    const { bookmarks } = await client.createAndRunInstance({ definition: 'waits' });
    await scheduler(app).scheduleRecurring('poke', MINUTE, { bookmarkId: bookmarks[0]!.id });
    expect(await schedules(app).find('poke')).toMatchObject({ workflowInstanceId: 'i', kind: 'Timer' });
    await clock.advance(MINUTE);
    expect((await store.instances.load('i'))!.subStatus).toBe('Finished');
    await clock.advance(MINUTE);
    await expect(schedules(app).find('poke')).rejects.toMatchObject({ code: 'WM4030' });
  });

  it('sends a stimulus to waiting instances, or stores it until one waits', async () => {
    const app = await published();
    const run = async (id: string) =>
      (await app.get(IWorkflowRuntime).createClient(id)).createAndRunInstance({ definition: 'waits' });
    await run('a');
    await run('b');
    await scheduler(app).scheduleRecurring('go', MINUTE, { activity: 'Elsa.Event', stimulus: { eventName: 'go' } });
    await clock.advance(MINUTE);
    const ended = async (id: string) => (await store.instances.load(id))!.subStatus;
    expect([await ended('a'), await ended('b')]).toEqual(['Finished', 'Finished']);
    await clock.advance(MINUTE);
    await run('late');
    await clock.advance(SECOND);
    expect(await ended('late')).toBe('Finished');
  });

  it('keeps its rhythm when the same is scheduled again, and replaces what is to be done', async () => {
    const app = await published();
    await scheduler(app).scheduleRecurring('beat', '00:01:00', start);
    await clock.advance(40 * SECOND);
    await scheduler(app).scheduleRecurring('beat', MINUTE, { definition: 'w', name: 'second' }, { misfire: 'skip' });
    await clock.advance(20 * SECOND);
    expect((await instances()).map(({ name }) => name)).toEqual(['second']);
    expect((await schedules(app).list()).totalCount).toBe(1);
    await scheduler(app).scheduleRecurring('beat', 2 * MINUTE, start);
    expect((await schedules(app).find('beat', 1)).nextTimes).toEqual([at('10:03:00')]);
  });

  it('ends when it is unscheduled', async () => {
    const app = await published();
    await scheduler(app).scheduleAt('once', at('10:01:00'), start);
    expect(await scheduler(app).unschedule('once')).toBe(true);
    expect(await scheduler(app).unschedule('once')).toBe(false);
    await clock.advance(HOUR);
    expect(await instances()).toEqual([]);
  });

  it('is paused, resumed and fired by hand like a trigger', async () => {
    const app = await published();
    await scheduler(app).scheduleRecurring('beat', MINUTE, start);
    await scheduler(app).scheduleAt('once', at('10:02:30'), start);
    await schedules(app).pause('beat');
    await schedules(app).pause('once');
    await clock.advance(3 * MINUTE + 20 * SECOND);
    expect(await instances()).toEqual([]);
    expect(await schedules(app).fire('beat', 'key')).toMatchObject({ subStatus: 'Finished' });
    await expect(schedules(app).fire('beat', 'key')).rejects.toMatchObject({ code: 'WM7007' });
    expect(await startedAt()).toEqual(['10:03:20']);
    // What passed is left out of the rhythm; of a single time there would be no other trace.
    expect((await schedules(app).resume('beat')).nextTimes[0]).toEqual(at('10:04:00'));
    await schedules(app).resume('once');
    await clock.advance(MINUTE);
    expect(await startedAt()).toEqual(['10:03:20', '10:03:20', '10:04:00']);
  });

  it('refuses a manual firing when no instance waits for its stimulus', async () => {
    const app = await published();
    await scheduler(app).scheduleRecurring('go', MINUTE, { activity: 'Elsa.Event', stimulus: { eventName: 'go' } });
    await expect(schedules(app).fire('go')).rejects.toMatchObject({ code: 'WM6033', scheduleId: 'go' });
  });

  it('is gone when a pause outlasts its last time', async () => {
    const app = await published();
    await scheduler(app).scheduleRecurring('beat', MINUTE, start, { until: at('10:02:00') });
    await schedules(app).pause('beat');
    await clock.advance(5 * MINUTE);
    expect((await schedules(app).resume('beat')).nextTimes).toEqual([]);
    await expect(schedules(app).find('beat')).rejects.toMatchObject({ code: 'WM4030' });
    expect(await instances()).toEqual([]);
  });

  it('fires each occurrence on one of several nodes', async () => {
    const app = await published();
    await node();
    await node();
    await scheduler(app).scheduleRecurring('beat', SECOND, start);
    for (let second = 0; second < 20; second++) await clock.advance(SECOND);
    const times = await startedAt();
    expect(times).toHaveLength(20);
    expect(new Set(times).size).toBe(20);
  });

  it.each([
    ['once', ['10:10:00', '10:11:00']],
    ['skip', ['10:11:00']],
    ['all', ['10:10:00', '10:10:00', '10:10:00', '10:10:00', '10:10:00', '10:11:00']],
  ] as const)('survives a restart, and then applies its misfire policy: %s', async (misfire, expected) => {
    const first = await published();
    await scheduler(first).scheduleRecurring('beat', 2 * MINUTE, start, { startAt: at('10:01:00'), misfire });
    await scheduler(first).scheduleAt('once', at('10:05:00'), { definition: 'w', name: 'once' });
    await first.close();
    nodes = [];
    await clock.advance(10 * MINUTE);
    await node();
    await clock.advance(MINUTE);
    const ofBeat = (await instances()).filter(({ name }) => name === undefined);
    const times = ofBeat.map(({ createdAt }) => createdAt.toISOString().slice(11, 19)).toSorted();
    expect(times).toEqual(expected);
    expect((await instances()).filter(({ name }) => name === 'once')).toHaveLength(1);
  });

  it('starts the version that is published when it fires, and waits for one while there is none', async () => {
    const app = await published();
    await scheduler(app).scheduleAt('once', at('10:01:00'), start);
    await app.get(IWorkflowDefinitionPublisher).retract('w');
    await clock.advance(90 * SECOND);
    expect(await instances()).toEqual([]);
    expect((await schedules(app).find('once')).failure).toMatchObject({ lastError: expect.stringContaining('w') });
    await app.get(IWorkflowDefinitionPublisher).publish('w');
    await clock.advance(10 * MINUTE);
    expect(await instances()).toHaveLength(1);
  });

  it.each<[string, (s: IWorkflowScheduler) => Promise<boolean>, string]>([
    ['no time', (s) => s.scheduleAt('x', new Date(Number.NaN), start), 'WM6031'],
    ['a time as text', (s) => s.scheduleAt('x', '2026-03-02' as never, start), 'WM6031'],
    ['an interval of nothing', (s) => s.scheduleRecurring('x', 0, start), 'WM6031'],
    ['an invalid interval', (s) => s.scheduleRecurring('x', 'often' as never, start), 'WM6031'],
    ['an empty id', (s) => s.scheduleAt('', at('10:30:00'), start), 'WM4033'],
    ['an id that URLs lose', (s) => s.scheduleAt('..', at('10:30:00'), start), 'WM4033'],
    ['an id that is a path of the API', (s) => s.scheduleAt('waiting', at('10:30:00'), start), 'WM4033'],
    ['an unknown policy', (s) => s.scheduleRecurring('x', HOUR, start, { misfire: 'never' as never }), 'WM6031'],
    ['an unknown overlap', (s) => s.scheduleRecurring('x', HOUR, start, { overlap: 'no' as never }), 'WM6031'],
    ['a jitter of days', (s) => s.scheduleRecurring('x', HOUR, start, { jitter: '2 days' }), 'WM6031'],
    ['an overlap of what resumes', (s) => s.scheduleRecurring('x', HOUR, resume, { overlap: 'skip' }), 'WM6031'],
    ['an overlap beside a strategy', (s) => s.scheduleRecurring('x', HOUR, single, { overlap: 'skip' }), 'WM6031'],
    [
      'a line of which what is late is left out',
      (s) => s.scheduleRecurring('x', HOUR, start, { overlap: 'queue', misfire: 'skip' }),
      'WM6031',
    ],
    ['no cron expression', (s) => s.scheduleCron('x', 'daily', start), 'WM6001'],
    ['no time zone', (s) => s.scheduleCron('x', '@daily', start, { timeZone: 'Mars/Olympus' }), 'WM6001'],
    ['an unknown definition', (s) => s.scheduleAt('x', at('11:00:00'), { definition: 'nope' }), 'WM1020'],
    ['an unknown bookmark', (s) => s.scheduleAt('x', at('11:00:00'), { bookmarkId: 'nope' }), 'WM3004'],
    ['nothing to do', (s) => s.scheduleAt('x', at('11:00:00'), {} as never), 'WM6032'],
    ['two things', (s) => s.scheduleAt('x', at('11:00:00'), { definition: 'w', bookmarkId: 'b' } as never), 'WM6032'],
    ['an id that is too long', (s) => s.scheduleAt('x'.repeat(256), at('11:00:00'), start), 'WM1103'],
    ['a transaction in memory', (s) => s.scheduleAt('x', at('11:00:00'), start, { transaction: {} }), 'WM7020'],
  ])('refuses %s', async (_what, schedule, code) => {
    const app = await published();
    await expect(schedule(scheduler(app))).rejects.toMatchObject({ code });
    expect((await schedules(app).list()).totalCount).toBe(0);
  });

  it.each<[string, (s: IWorkflowScheduler) => Promise<boolean>]>([
    [
      `Schedule "x" starts no workflow, so 'overlap' does not apply to it. Leave it out.`,
      (s) => s.scheduleRecurring('x', HOUR, resume, { overlap: 'skip' }),
    ],
    [
      `Schedule "x" has overlap 'skip', and its workflow has an activation strategy: both would decide about the same start. Remove one of them.`,
      (s) => s.scheduleRecurring('x', HOUR, single, { overlap: 'skip' }),
    ],
    [
      `Schedule "x" has overlap 'queue', which makes occurrences late, so its misfire must be 'once' or 'all', not 'skip'.`,
      (s) => s.scheduleRecurring('x', HOUR, start, { overlap: 'queue', misfire: 'skip' }),
    ],
    [
      `'jitter' of schedule "x" must be a time span from 0 to 24 hours, such as '00:05:00', not '2 days'.`,
      (s) => s.scheduleRecurring('x', HOUR, start, { jitter: '2 days' }),
    ],
  ])('answers with the sentence %s', async (message, schedule) => {
    const app = await published();
    await expect(schedule(scheduler(app))).rejects.toThrow(message);
  });

  it.each([
    ['allow', ['10:01:00', '10:02:00', '10:03:00'], 3],
    ['skip', ['10:01:00'], 1],
    ['queue', ['10:01:00'], 1],
    ['cancelPrevious', ['10:01:00', '10:02:00', '10:03:00'], 1],
  ] as const)('applies its overlap policy to a running instance: %s', async (overlap, expected, running) => {
    const app = await published();
    await node();
    await scheduler(app).scheduleRecurring('beat', MINUTE, { definition: 'waits', name: 'beat' }, { overlap });
    expect(await schedules(app).find('beat')).toMatchObject({ overlap });
    for (let minute = 0; minute < 3; minute++) await clock.advance(MINUTE + 100);
    expect(await startedAt()).toEqual(expected);
    const open = (await instances()).filter(({ status }) => status === 'Running');
    expect(open).toHaveLength(running);
    expect((await instances()).filter(({ subStatus }) => subStatus === 'Cancelled')).toHaveLength(
      overlap === 'cancelPrevious' ? 2 : 0,
    );
  });

  it('lets occurrences wait in line, with what they were scheduled with', async () => {
    const app = await published();
    const request = { definition: 'waits', correlationId: 'c', input: { n: 1 } };
    await scheduler(app).scheduleRecurring('beat', MINUTE, request, { overlap: 'queue', until: at('10:02:30') });
    await clock.advance(3 * MINUTE);
    const go = () => app.get(IStimulusSender).send('Elsa.Event', { eventName: 'go' });
    await go();
    await clock.advance(SECOND);
    expect((await instances()).map(({ subStatus }) => subStatus).toSorted()).toEqual(['Finished', 'Suspended']);
    await go();
    await clock.advance(HOUR);
    expect((await instances()).map(({ subStatus, correlationId }) => [subStatus, correlationId])).toEqual([
      ['Finished', 'c'],
      ['Finished', 'c'],
    ]);
    expect((await schedules(app).list()).totalCount).toBe(0);
  });

  it('shows the result of its latest firing, and starts by hand under its policy', async () => {
    const app = await published();
    await scheduler(app).scheduleRecurring('beat', MINUTE, { definition: 'waits' }, { overlap: 'skip' });
    await clock.advance(MINUTE);
    expect((await schedules(app).find('beat')).lastFiring).toMatchObject({ result: 'Started' });
    await clock.advance(MINUTE);
    expect((await schedules(app).find('beat')).lastFiring).toMatchObject({ result: 'Refused' });
    await expect(schedules(app).fire('beat')).rejects.toMatchObject({ code: 'WM4032', overlap: 'skip' });
    expect(await instances()).toHaveLength(1);
  });

  it('spreads due times by the id of the schedule, and names the time without the jitter', async () => {
    const app = await published();
    for (const id of ['a', 'b', 'c']) await scheduler(app).scheduleCron(id, '0 11 * * *', start, { jitter: '10m' });
    for (const { jitter, jitterMs, nextTimes } of (await schedules(app).list()).items)
      expect([jitter, nextTimes[0]!.getTime() - at('11:00:00').getTime()]).toEqual(['10m', jitterMs]);
    await clock.advance(70 * MINUTE);
    const times = await startedAt();
    expect(new Set(times).size).toBe(3);
    expect(times.every((time) => time >= '11:00:00' && time < '11:10:00')).toBe(true);
    expect(inputs).toEqual(Array(3).fill({ ScheduledAt: at('11:00:00') }));
  });

  it('keeps what it was given encrypted, where there are keys', async () => {
    const encryption = { keys: { keys: () => [{ id: 'k1', key: Buffer.alloc(32, 7) }] } };
    const app = await published({}, { encryption });
    await scheduler(app).scheduleAt('once', at('10:01:00'), { definition: 'w', input: { pin: 'the-pin-1234' } });
    expect(JSON.stringify(await store.schedules.findMany(['once']))).not.toContain('the-pin-1234');
    await clock.advance(MINUTE);
    expect(inputs).toEqual([{ pin: 'the-pin-1234', ScheduledAt: at('10:01:00') }]);
  });

  it('announces what fires at times, once it is stored', async () => {
    const app = await node();
    const heard: WorkflowSchedulesIndexed[] = [];
    app.get(EventEmitter2).on(WorkflowEvent.SchedulesIndexed, (event: WorkflowSchedulesIndexed) => heard.push(event));
    const taken = () => heard.splice(0).map(({ added, removed }) => [added, removed]);
    const publish = (root: object) =>
      app.get(IWorkflowDefinitionPublisher).saveAndPublish({ definitionId: 'w', root: root as never });
    await publish({ id: 'E', type: 'Elsa.Event', eventName: literal('String', 'e') });
    expect(taken()).toEqual([]);
    const timer = { interval: literal('TimeSpan', '01:00:00'), customProperties: { canStartWorkflow: true } };
    await publish({ id: 'T', type: 'Elsa.Timer', ...timer });
    const ofTrigger = { kind: 'trigger', stimulus: 'Elsa.Timer', workflowDefinitionId: 'w', dueAt: at('11:00:00') };
    expect(taken()).toEqual([[[expect.objectContaining(ofTrigger)], []]]);
    await publish({ id: 'D', type: 'Elsa.Delay', timeSpan: literal('TimeSpan', '00:10:00') });
    expect(taken()).toEqual([[[], [expect.objectContaining({ kind: 'trigger', stimulus: 'Elsa.Timer' })]]]);
    await (await app.get(IWorkflowRuntime).createClient('i')).createAndRunInstance({ definition: 'w' });
    const ofBookmark = { kind: 'bookmark', stimulus: 'Elsa.Delay', workflowInstanceId: 'i', dueAt: at('10:10:00') };
    expect(taken()).toEqual([[[expect.objectContaining(ofBookmark)], []]]);
    await scheduler(app).scheduleRecurring('beat', HOUR, start);
    const own = { kind: 'application', id: 'beat', stimulus: 'Elsa.Timer', workflowDefinitionId: 'w' };
    expect(taken()).toEqual([[[{ ...own, dueAt: at('11:00:00') }], []]]);
    await scheduler(app).unschedule('beat');
    expect(taken()).toEqual([[[], [{ ...own, dueAt: at('11:00:00') }]]]);
  });
});
