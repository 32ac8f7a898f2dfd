import { Global, Logger, Module } from '@nestjs/common';
import { EventEmitter2, EventEmitterModule } from '@nestjs/event-emitter';
import { ScheduleModule, SchedulerRegistry } from '@nestjs/schedule';
import { Test, type TestingModule } from '@nestjs/testing';
import {
  IBookmarkResumer,
  IWorkflowCancellationService,
  IWorkflowDefinitionService,
  IWorkflowStarter,
  MemoryPersistence,
  MissingCode,
  RuntimeGate,
  StoreHealth,
  WorkflowBookmarksIndexed,
  WorkflowClock,
  WorkflowEngine,
  WorkflowEvent,
  WorkflowPersistence,
  WorkflowTriggersIndexed,
  type StoredBookmark,
  type StoredTrigger,
} from '@waymark/runtime';
import {
  OutboxProcessor,
  resolveRuntimeOptions,
  RUNTIME_OPTIONS,
  DueResumes,
  HeldStarts,
  ScheduledRequests,
  ShutdownTasks,
  StoreOutages,
  WorkflowEventEmitter,
} from '@waymark/runtime/adapter';
import { VirtualClock } from '@waymark/testing';
import { StartAt } from '../activities/start-at.js';
import { ITriggerScheduler } from '../wake-up/schedulers.js';
import { WakeUpTimer } from '../wake-up/wake-up-timer.js';
import { SchedulingModule } from './scheduling.module.js';
import { resolveSchedulingOptions, SCHEDULING_OPTIONS } from './scheduling-options.js';

const T0 = Date.parse('2026-03-01T00:00:00Z');

const clock = { current: new VirtualClock(T0) };
const calls: string[] = [];

@Global()
@Module({
  providers: [
    { provide: WorkflowPersistence, useClass: MemoryPersistence },
    { provide: WorkflowClock, useFactory: () => clock.current },
    {
      provide: IWorkflowStarter,
      useFactory: (store: WorkflowPersistence) => ({
        start: async ({ firing, triggerActivityId, input }: any) => {
          calls.push(`start ${triggerActivityId} ${JSON.stringify(input)}`);
          await store.triggers.advance(firing);
          return { cannotStart: false };
        },
      }),
      inject: [WorkflowPersistence],
    },
    {
      provide: IBookmarkResumer,
      useValue: { resumeWaiting: async ({ id }: { id: string }) => void calls.push(`resume ${id}`) },
    },
    RuntimeGate,
    ShutdownTasks,
    StoreHealth,
    StoreOutages,
    { provide: RUNTIME_OPTIONS, useFactory: () => resolveRuntimeOptions() },
    { provide: MissingCode, useValue: {} },
    { provide: IWorkflowCancellationService, useValue: {} },
    // The application schedules nothing itself.
    { provide: ScheduledRequests, useValue: {} },
    // Each start claims its occurrence itself.
    { provide: HeldStarts, useValue: { prepare: async () => undefined } },
    { provide: IWorkflowDefinitionService, useValue: {} },
    { provide: OutboxProcessor, useValue: {} },
    { provide: DueResumes, useValue: {} },
    { provide: WorkflowEngine, useValue: {} },
    {
      provide: WorkflowEventEmitter,
      useFactory: (emitter: EventEmitter2, clock: WorkflowClock) => new WorkflowEventEmitter(emitter, clock),
      inject: [EventEmitter2, WorkflowClock],
    },
  ],
  exports: [
    WorkflowPersistence,
    WorkflowClock,
    IWorkflowStarter,
    IBookmarkResumer,
    RuntimeGate,
    ShutdownTasks,
    StoreOutages,
    RUNTIME_OPTIONS,
    MissingCode,
    ScheduledRequests,
    HeldStarts,
    IWorkflowDefinitionService,
    OutboxProcessor,
    DueResumes,
    WorkflowEngine,
    WorkflowEventEmitter,
    IWorkflowCancellationService,
  ],
})
class FakeRuntimeModule {}

const trigger = (id: string, name: string, payload: object, dueAt: number | null): StoredTrigger => ({
  id,
  workflowDefinitionId: 'd',
  workflowDefinitionVersionId: 'd-1',
  name,
  activityId: id,
  hash: id,
  payload,
  dueAt: dueAt === null ? null : new Date(dueAt),
});

describe('SchedulingModule', () => {
  let app: TestingModule;
  const store = (): WorkflowPersistence => app.get(WorkflowPersistence);
  const add = (...addedTriggers: StoredTrigger[]): Promise<void> =>
    store().definitions.apply({ saved: [], deletedIds: [], addedTriggers, removedTriggerIds: [] });
  const timeouts = (): unknown[] => {
    const registry = app.get(SchedulerRegistry);
    return registry
      .getTimeouts()
      .map((name) => [name, registry.getTimeout<{ dueAt: Date }>(name).dueAt.getTime() - T0]);
  };

  beforeAll(() => Logger.overrideLogger(false));
  afterAll(() => Logger.overrideLogger(undefined as never));
  beforeEach(async () => {
    calls.length = 0;
    clock.current = new VirtualClock(T0);
    app = await Test.createTestingModule({
      imports: [
        FakeRuntimeModule,
        EventEmitterModule.forRoot(),
        ScheduleModule.forRoot(),
        SchedulingModule.forRoot({ pollIntervalMs: 20_000 }),
      ],
    }).compile();
    await app.init();
    await clock.current.advance(0);
  });
  afterEach(() => app.close());

  it('is armed for its next look from the start, visibly', () => {
    expect(timeouts()).toEqual([[WakeUpTimer.NAME, 20_000]]);
  });

  it('is armed for the due times in events, if they are earlier', async () => {
    const events = app.get(EventEmitter2);
    const row = trigger('T', 'Elsa.Timer', { interval: '00:00:10' }, T0 + 10_000);
    const indexed = { definitionId: 'd', added: [row], removed: [], unchanged: [] };
    await events.emitAsync(WorkflowEvent.TriggersIndexed, new WorkflowTriggersIndexed(indexed));
    expect(timeouts()).toEqual([[WakeUpTimer.NAME, 10_000]]);
    const bookmark = { id: 'b', dueAt: new Date(T0 + 3000) } as StoredBookmark;
    await events.emitAsync(WorkflowEvent.BookmarksIndexed, new WorkflowBookmarksIndexed('i', [bookmark], [], []));
    expect(timeouts()).toEqual([[WakeUpTimer.NAME, 3000]]);
    const late = { id: 'c', dueAt: new Date(T0 + 99_000) } as StoredBookmark;
    await events.emitAsync(
      WorkflowEvent.BookmarksIndexed,
      new WorkflowBookmarksIndexed('i', [late, { id: 'd' } as StoredBookmark], [], []),
    );
    expect(timeouts()).toEqual([[WakeUpTimer.NAME, 3000]]);
  });

  it('starts workflows with the input that their trigger stands for', async () => {
    const rows = [
      trigger('T', 'Elsa.Timer', { interval: '00:00:01' }, T0 + 1000),
      trigger('C', 'Elsa.Cron', { cronExpression: '*/2 * * * * *' }, T0 + 2000),
      trigger('S', 'Elsa.StartAt', { executeAt: new Date(T0 + 500) }, T0 + 500),
    ];
    await add(...rows);
    const indexed = { definitionId: 'd', added: rows, removed: [], unchanged: [] };
    await app.get(EventEmitter2).emitAsync(WorkflowEvent.TriggersIndexed, new WorkflowTriggersIndexed(indexed));
    await clock.current.advance(2000);
    expect(calls).toEqual([
      'start S {"ExecuteAt":"2026-03-01T00:00:00.500Z","ScheduledAt":"2026-03-01T00:00:00.500Z"}',
      'start T {"StartAt":"2026-03-01T00:00:01.000Z","Interval":"00:00:01","ScheduledAt":"2026-03-01T00:00:01.000Z"}',
      'start C {"CronExpression":"*/2 * * * * *","ScheduledAt":"2026-03-01T00:00:02.000Z"}',
      'start T {"StartAt":"2026-03-01T00:00:02.000Z","Interval":"00:00:01","ScheduledAt":"2026-03-01T00:00:02.000Z"}',
    ]);
  });

  it('fires nothing that a host has unscheduled', async () => {
    const [kept, gone] = ['K', 'G'].map((id) => trigger(id, 'Elsa.Timer', { interval: '00:00:01' }, T0 + 1000));
    await add(kept!, gone!);
    await app.get(ITriggerScheduler).unschedule([gone!]);
    await app.get(ITriggerScheduler).schedule([kept!]);
    await clock.current.advance(1000);
    expect(calls).toEqual([expect.stringMatching(/^start K /)]);
    expect((await store().triggers.findMany({ ids: ['G'] }))[0]!.dueAt).toBeNull();
  });

  it('disappears from the registry on shutdown', async () => {
    const registry = app.get(SchedulerRegistry);
    await app.get(ShutdownTasks).run();
    expect(registry.getTimeouts()).toEqual([]);
    expect(clock.current.pending).toEqual([]);
  });

  it('hands its options to the activities', async () => {
    const other = await Test.createTestingModule({
      imports: [
        FakeRuntimeModule,
        EventEmitterModule.forRoot(),
        SchedulingModule.forRootAsync({ useFactory: () => ({ startAtInPast: 'catchup' as const }) }),
      ],
    }).compile();
    expect(other.get(SCHEDULING_OPTIONS)).toMatchObject({ startAtInPast: 'catchup', pollIntervalMs: 1000 });
    expect(other.get(StartAt).getTriggerDueAt({ executeAt: new Date(T0 - 1) }, T0)).toEqual(new Date(T0 - 1));
  });
});

describe('resolveSchedulingOptions', () => {
  it.each([
    [{ pollIntervalMs: 0 }, "'scheduling.pollIntervalMs' must be a finite number of 1 or more, not 0"],
    [{ concurrency: Number.NaN }, "'scheduling.concurrency' must be an integer greater than 0, not NaN"],
    [{ concurrency: 1.5 }, "'scheduling.concurrency' must be an integer greater than 0, not 1.5"],
    [{ retryMaxMs: Infinity }, "'scheduling.retryMaxMs' must be a finite number of 1 or more, not Infinity"],
    [{ pollInterval: 5 } as never, "has no option 'pollInterval'. Did you mean 'pollIntervalMs'?"],
    [{ misfire: { timers: 'all' } } as never, "has no option 'timers'. Did you mean 'timer'?"],
    [{ misfireThresholdMs: -1 }, "'scheduling.misfireThresholdMs' must be a finite number of 0 or more, not -1"],
    [{ misfire: { cron: 'never' as never } }, "'scheduling.misfire.cron' must be 'skip', 'once' or 'all', not 'never'"],
    [{ startAtInPast: 'maybe' as never }, "'scheduling.startAtInPast' must be 'skip' or 'catchup', not 'maybe'"],
  ])('refuses %j', (options, message) => {
    expect(() => resolveSchedulingOptions(options)).toThrow(message);
  });

  it('keeps defaults beside what is given', () => {
    expect(resolveSchedulingOptions({ misfire: { cron: 'all' } }).misfire).toEqual({ timer: 'once', cron: 'all' });
  });
});
