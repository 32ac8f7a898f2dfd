import { Logger } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';
import { Test, type TestingModule } from '@nestjs/testing';
import {
  IWorkflowCancellationService,
  IWorkflowDefinitionPublisher,
  IWorkflowRuntime,
  IWorkflowSchedules,
  type PublishResult,
  WorkflowPersistence,
} from '@waymark/runtime';
import { resolveRuntimeOptions, RUNTIME_OPTIONS, WorkflowRuntimeModule } from '@waymark/runtime/adapter';
import { VirtualClock } from '@waymark/testing';
import { schedulingProviders } from './scheduling.module.js';
import { resolveSchedulingOptions, SCHEDULING_OPTIONS } from './scheduling-options.js';

const T0 = '2026-03-01T10:20:30Z';
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const literal = (typeName: string, value: unknown) => ({ typeName, expression: { type: 'Literal', value } });
const starts = { canStartWorkflow: true };
const activity = (type: string, inputs: object = {}, customProperties: object = {}) => ({
  id: type,
  type: `Elsa.${type}`,
  customProperties,
  ...inputs,
});
const every = (interval: string) => activity('Timer', { interval: literal('TimeSpan', interval) }, starts);
const cron = (expression: string, more: object = {}) =>
  activity('Cron', { cronExpression: literal('String', expression), ...more }, starts);
const startAt = (time: string) => activity('StartAt', { dateTime: literal('DateTimeOffset', time) }, starts);
const delay = (span: string) => activity('Delay', { timeSpan: literal('TimeSpan', span) });

/** The real runtime, in memory, on a virtual clock. */
describe('with the runtime', () => {
  let app: TestingModule;
  let clock: VirtualClock;

  beforeAll(() => Logger.overrideLogger(false));
  afterAll(() => Logger.overrideLogger(undefined as never));
  beforeEach(async () => {
    clock = new VirtualClock(T0);
    const parts = {
      imports: [ScheduleModule.forRoot()],
      providers: [
        { provide: RUNTIME_OPTIONS, useValue: resolveRuntimeOptions({ clock, pollIntervalMs: HOUR }) },
        { provide: SCHEDULING_OPTIONS, useValue: resolveSchedulingOptions() },
        ...schedulingProviders,
      ],
    };
    app = await Test.createTestingModule({ imports: [WorkflowRuntimeModule.compose(parts)] }).compile();
    await app.init();
    await clock.advance(0);
  });
  afterEach(() => app.close());

  const publish = (root: object, definitionId = 'w'): Promise<PublishResult> =>
    app.get(IWorkflowDefinitionPublisher).saveAndPublish({ definitionId, root: root as never });
  const instances = async () => (await app.get(WorkflowPersistence).instances.findMany({})).items;
  const startedAt = async (): Promise<string[]> =>
    (await instances()).map((i) => i.createdAt.toISOString().slice(11, 19)).sort();

  it('starts a workflow at each interval, not before the first one', async () => {
    expect((await publish(every('00:00:05'))).problems).toEqual([]);
    await clock.advance(4999);
    expect(await startedAt()).toEqual([]);
    await clock.advance(10_001);
    expect(await startedAt()).toEqual(['10:20:35', '10:20:40', '10:20:45']);
    expect((await instances()).every((i) => i.subStatus === 'Finished')).toBe(true);
  });

  it('starts a workflow when its cron expression says so', async () => {
    await publish(cron('0 0 * * * *'));
    await clock.advance(61 * MINUTE);
    expect(await startedAt()).toEqual(['11:00:00']);
  });

  it('starts a workflow once at its time', async () => {
    await publish(startAt('2026-03-01T10:25:00Z'));
    await clock.advance(HOUR);
    expect(await startedAt()).toEqual(['10:25:00']);
  });

  it('warns once of a time that was over when it was published', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn');
    const late = { ...startAt('2026-03-01T10:20:29Z'), id: 'Late' };
    const soon = { ...startAt('2026-03-01T10:20:31Z'), id: 'Soon' };
    const root = { id: 'S', type: 'Elsa.Sequence', activities: [late, soon] };
    const message = expect.stringMatching(
      /^StartAt 'Late' never starts anything: .* 2026-03-01T10:20:29.*startAtInPast/,
    );
    expect((await publish(root)).warnings).toEqual([{ message, activityId: 'Late' }]);
    expect((await publish(root)).warnings).toEqual([]);
    const said = warn.mock.calls.map(([text]) => String(text)).filter((text) => text.includes('StartAt'));
    warn.mockRestore();
    expect(said).toEqual([expect.stringMatching(/^Workflow 'w', version 1: StartAt 'Late' never starts anything/)]);
    await clock.advance(HOUR);
    expect(await startedAt()).toEqual(['10:20:31']);
  });

  it.each([
    [{ overlap: 'bogus' }, `'overlap' of 'StartAt' must be 'allow', 'skip'`],
    [{ jitter: 'soon' }, `'jitter' of 'StartAt' must be a time span`],
    [{ validUntil: 'spring' }, `'validUntil' of 'StartAt' must be a date and time`],
    [{ validFrom: new Date('spring') }, `'validFrom' of 'StartAt' must be a date and time, not "Invalid Date"`],
  ])('refuses a StartAt with %j', async (more, expected) => {
    const root = { ...startAt('2026-03-01T10:25:00Z'), customProperties: { ...starts, ...more } };
    const { succeeded, problems } = await publish(root);
    expect([succeeded, problems]).toEqual([
      false,
      [{ message: expect.stringContaining(expected), activityId: 'StartAt' }],
    ]);
  });

  it('warns of properties without effect on a StartAt, which still starts', async () => {
    const more = { misfire: 'all', validFrom: '2026-03-02', validUntil: '2026-03-03', overlap: 'skip', jitter: '1m' };
    const root = { ...startAt('2026-03-01T10:25:00Z'), customProperties: { ...starts, ...more } };
    const message = `StartAt 'StartAt' fires once, so its custom properties 'misfire', 'validFrom', 'validUntil' have no effect. Remove them.`;
    expect((await publish(root)).warnings).toEqual([{ message, activityId: 'StartAt' }]);
    await clock.advance(HOUR);
    expect(await startedAt()).toHaveLength(1);
  });

  it.each([
    ['allow', ['10:20:30', '10:25:00']],
    ['skip', ['10:20:30']],
    ['queue', ['10:20:30', '10:50:30']],
    ['cancelPrevious', ['10:20:30', '10:25:00']],
  ])('a StartAt applies its overlap policy: %s', async (overlap, expected) => {
    const root = { ...startAt('2026-03-01T10:25:00Z'), customProperties: { ...starts, overlap } };
    await publish({ id: 'S', type: 'Elsa.Sequence', activities: [root, delay('00:30:00')] });
    const schedules = app.get(IWorkflowSchedules);
    const { id } = (await schedules.list()).items[0]!;
    expect(await schedules.find(id)).toMatchObject({ overlap });
    await schedules.fire(id);
    await clock.advance(2 * HOUR);
    expect(await startedAt()).toEqual(expected);
    const subStatuses = (await instances()).map(({ subStatus }) => subStatus);
    expect(subStatuses.includes('Cancelled')).toBe(overlap === 'cancelPrevious');
  });

  it('a StartAt with a jitter starts later than its time by its share of the jitter', async () => {
    const root = { ...startAt('2026-03-01T10:25:00Z'), customProperties: { ...starts, jitter: '00:10:00' } };
    await publish(root);
    const found = (await app.get(IWorkflowSchedules).list()).items[0]!;
    const dueAt = Date.parse('2026-03-01T10:25:00Z') + found.jitterMs!;
    expect([found.jitter, found.jitterMs! > 0, found.nextTimes[0]!.getTime()]).toEqual(['00:10:00', true, dueAt]);
    await clock.advance(HOUR);
    const [instance] = await instances();
    expect(instance!.createdAt.getTime()).toBe(dueAt);
  });

  it.each([
    ['a timer', every('01:00:00'), '2026-03-01T11:20:29Z'],
    ['a cron', cron('0 0 * * * *'), '2026-03-01T10:59:59Z'],
    ['what was over long ago', cron('0 0 * * * *'), '2020-01-01'],
  ])('warns of an end before the first time: %s', async (_, trigger, validUntil) => {
    const ended = { ...trigger, customProperties: { ...starts, validUntil } };
    const { succeeded, warnings } = await publish(ended);
    const message = expect.stringContaining(`never starts a workflow: its 'validUntil' (${validUntil}) is earlier`);
    expect([succeeded, warnings]).toEqual([true, [{ message, activityId: trigger.id }]]);
    await clock.advance(2 * HOUR);
    expect(await startedAt()).toEqual([]);
  });

  it('does not warn of an end that comes later', async () => {
    const customProperties = { ...starts, validUntil: '2026-03-01T11:20:30Z' };
    expect((await publish({ ...every('01:00:00'), customProperties })).warnings).toEqual([]);
    await clock.advance(3 * HOUR);
    expect(await startedAt()).toEqual(['11:20:30']);
  });

  it('keeps the rhythm of a timer that is published again and again', async () => {
    for (let i = 0; i < 6; i++) {
      await publish(every('00:10:00'));
      await clock.advance(4 * MINUTE);
    }
    expect(await startedAt()).toEqual(['10:30:30', '10:40:30']);
  });

  it('keeps rhythm, id and last firing of a timer whose policies change', async () => {
    const schedules = app.get(IWorkflowSchedules);
    await publish(every('00:10:00'));
    await clock.advance(11 * MINUTE);
    const before = (await schedules.list()).items[0]!;
    await clock.advance(5 * MINUTE);
    const properties = { overlap: 'skip', validUntil: '2026-03-01T10:45:00Z' };
    await publish({ ...every('00:10:00'), customProperties: { ...starts, ...properties } });
    const { id, lastFiring, nextTimes } = before;
    const [after] = (await schedules.list()).items;
    expect(after).toMatchObject({ id, lastFiring, nextTimes: nextTimes.slice(0, 1), ...properties, overlap: 'skip' });
    await clock.advance(HOUR);
    expect(await startedAt()).toEqual(['10:30:30', '10:40:30']);
  });

  it('starts a StartAt that is published for the first time between its time and its jitter', async () => {
    const root = { ...startAt('2026-03-01T10:20:30Z'), customProperties: { ...starts, jitter: '10m' } };
    expect((await publish(root)).warnings).toEqual([]);
    await clock.advance(HOUR);
    expect(await instances()).toHaveLength(1);
  });

  it('stops a timer with its definition', async () => {
    await publish(every('00:01:00'));
    await clock.advance(MINUTE);
    await app.get(IWorkflowDefinitionPublisher).retract('w');
    await clock.advance(HOUR);
    expect(await startedAt()).toEqual(['10:21:30']);
  });

  it.each([
    [cron('BadCronExpression'), /^Error when parsing cron expression: 'BadCronExpression'/],
    [cron('0 0 31 2 *'), /^Error when parsing cron expression: .* no date ever matches it/],
    [cron('0 0 * * *', { timeZone: literal('String', 'Moon/Crater') }), /^Error when parsing cron expression: /],
    [every('00:00:00'), /must be greater than zero/],
    [startAt(''), /has no date and time/],
  ])('does not publish a trigger that could not work (%#)', async (root, message) => {
    const { succeeded, problems } = await publish(root);
    expect([succeeded, problems]).toEqual([
      false,
      [expect.objectContaining({ message: expect.stringMatching(message) })],
    ]);
  });

  it('resumes delays, the shorter one first', async () => {
    const root = {
      id: 'S',
      type: 'Elsa.Parallel',
      activities: [
        { ...delay('00:00:03'), id: 'D3' },
        { ...delay('00:00:01'), id: 'D1' },
      ],
    };
    await publish(root);
    const client = await app.get(IWorkflowRuntime).createClient('i');
    const { bookmarks } = await client.createAndRunInstance({ definition: 'w' });
    expect(bookmarks).toHaveLength(2);
    await clock.advance(1000);
    expect((await client.exportState()).bookmarks.map((b) => b.activityId)).toEqual(['D3']);
    await clock.advance(2000);
    expect((await client.exportState()).subStatus).toBe('Finished');
  });

  it('does not wake what was cancelled', async () => {
    await publish(delay('00:01:00'));
    const client = await app.get(IWorkflowRuntime).createClient('i');
    await client.createAndRunInstance({ definition: 'w' });
    await app.get(IWorkflowCancellationService).cancel(['i']);
    await clock.advance(HOUR);
    expect((await client.exportState()).subStatus).toBe('Cancelled');
  });

  it('gives back what a look claimed before the store closes, when the application is closed meanwhile', async () => {
    await publish(delay('00:01:00'));
    const client = await app.get(IWorkflowRuntime).createClient('i');
    await client.createAndRunInstance({ definition: 'w' });
    const store = app.get(WorkflowPersistence);
    const { bookmarks } = store;
    const order: string[] = [];
    const claim = bookmarks.claimDue.bind(bookmarks);
    let answer = (): void => {};
    const answered = new Promise<void>((resolve) => (answer = resolve));
    let onAsked = (): void => {};
    const asked = new Promise<void>((resolve) => (onAsked = resolve));
    bookmarks.claimDue = async (options) => {
      const claimed = await claim(options);
      onAsked();
      await answered;
      return claimed;
    };
    const release = bookmarks.releaseClaim.bind(bookmarks);
    bookmarks.releaseClaim = async (...claimed) => {
      await release(...claimed);
      order.push('given back');
    };
    const close = store.close.bind(store);
    store.close = async () => {
      order.push('closed');
      await close();
    };
    const looking = clock.advance(MINUTE);
    await asked;
    const closing = app.close();
    // All that a shutdown in memory can do without that answer is done by then.
    await new Promise(setImmediate);
    answer();
    await Promise.all([looking, closing]);
    expect(order).toEqual(['given back', 'closed']);
  });
});
