import { Logger } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';
import { Test, type TestingModule } from '@nestjs/testing';
import { Activity, ActivityBase, type ActivityExecutionContext, Input } from '@waymark/core';
import { IWorkflowDefinitionPublisher, IWorkflowRuntime, MemoryPersistence } from '@waymark/runtime';
import { resolveRuntimeOptions, RUNTIME_OPTIONS, WorkflowRuntimeModule } from '@waymark/runtime/adapter';
import { VirtualClock } from '@waymark/testing';
import { schedulingProviders } from '../module/scheduling.module.js';
import { resolveSchedulingOptions, SCHEDULING_OPTIONS } from '../module/scheduling-options.js';
import { repeatByCron, repeatEvery } from './repeat.js';

const T0 = '2026-03-01T10:00:00Z';
const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** When it was called, and what to do then, by call. */
const calls: string[] = [];
let act: (call: number, ctx: ActivityExecutionContext) => unknown = () => undefined;

/** As a calculation makes it of a date that was not one. */
let unchecked: unknown;

@Activity({ type: 'App.Unchecked' })
class Unchecked extends ActivityBase {
  execute(ctx: ActivityExecutionContext): void {
    repeatEvery(ctx, SECOND, { callback: this.look, startAt: unchecked as Date });
  }

  look(): void {}
}

@Activity({ type: 'App.Repeat' })
class Repeat extends ActivityBase {
  @Input({ type: 'Object' })
  every: unknown;
  @Input({ type: 'String' })
  cron: string | null;
  @Input({ type: 'DateTimeOffset' })
  startAt: Date | null;

  execute(ctx: ActivityExecutionContext): void {
    if (this.cron) repeatByCron(ctx, this.cron, { callback: this.look, timeZone: 'Europe/Vilnius' });
    else repeatEvery(ctx, this.every, { callback: this.look, ...(this.startAt && { startAt: this.startAt }) });
  }

  look(ctx: ActivityExecutionContext): unknown {
    calls.push(new Date(ctx.workflow.now()).toISOString().slice(11, 19));
    return act(calls.length, ctx);
  }
}

describe('activities that repeat', () => {
  let clock: VirtualClock;
  let store: MemoryPersistence;
  let nodes: TestingModule[];

  async function node(): Promise<TestingModule> {
    const nodeName = `node-${nodes.length}`;
    const options = resolveRuntimeOptions({ clock, persistence: store, pollIntervalMs: SECOND, nodeName });
    const parts = {
      imports: [ScheduleModule.forRoot()],
      providers: [
        { provide: RUNTIME_OPTIONS, useValue: options },
        { provide: SCHEDULING_OPTIONS, useValue: resolveSchedulingOptions({}) },
        ...schedulingProviders,
        Repeat,
        Unchecked,
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
    calls.length = 0;
    act = () => undefined;
  });
  afterEach(async () => {
    for (const app of nodes) await app.close();
  });

  const literal = (typeName: string, value: unknown) => ({ typeName, expression: { type: 'Literal', value } });
  const every = (value: unknown, more: object = {}) => ({
    id: 'R',
    type: 'App.Repeat',
    every: literal('Object', value),
    ...more,
  });
  async function run(app: TestingModule, root: object, id = 'i'): Promise<void> {
    const published = await app
      .get(IWorkflowDefinitionPublisher)
      .saveAndPublish({ definitionId: 'w', root: root as never });
    expect(published.problems).toEqual([]);
    await (await app.get(IWorkflowRuntime).createClient(id)).createAndRunInstance({ definition: 'w' });
  }
  const state = async () => (await store.instances.load('i'))!;

  it('activities that repeat are called at an interval until they complete, each time waiting at one bookmark', async () => {
    const app = await node();
    act = (call, ctx) => (call === 3 ? ctx.complete() : undefined);
    await run(app, every('00:00:10'));
    await clock.advance(25 * SECOND);
    expect(calls).toEqual(['10:00:10', '10:00:20']);
    expect((await state()).state.bookmarks).toMatchObject([
      { name: 'Elsa.Timer', dueAt: new Date('2026-03-01T10:00:30Z') },
    ]);
    await clock.advance(MINUTE);
    expect(calls).toEqual(['10:00:10', '10:00:20', '10:00:30']);
    expect((await state()).subStatus).toBe('Finished');
    expect(await store.bookmarks.findMany({ workflowInstanceId: 'i' })).toEqual([]);
  });

  it('activities that repeat begin at a time, and keep the rhythm of that', async () => {
    const app = await node();
    await run(app, every(20 * SECOND, { startAt: literal('DateTimeOffset', '2026-03-01T10:00:07Z') }));
    await clock.advance(MINUTE);
    expect(calls).toEqual(['10:00:07', '10:00:27', '10:00:47']);
  });

  it('activities that repeat are called at the times of a cron expression', async () => {
    const app = await node();
    await run(app, { id: 'R', type: 'App.Repeat', cron: literal('String', '*/20 * * * * *') });
    await clock.advance(MINUTE);
    expect(calls).toEqual(['10:00:20', '10:00:40', '10:01:00']);
  });

  it('activities that repeat are called once for what passed while no node was running, and continue in their rhythm', async () => {
    const first = await node();
    await run(first, every('00:00:10'));
    await clock.advance(10 * SECOND);
    await first.close();
    nodes = [];
    await clock.advance(55 * SECOND);
    await node();
    await clock.advance(10 * SECOND);
    expect(calls).toEqual(['10:00:10', '10:01:05', '10:01:10']);
  });

  it('activities that repeat are called by one of several nodes', async () => {
    const app = await node();
    await node();
    await node();
    await run(app, every(SECOND));
    for (let second = 0; second < 20; second++) await clock.advance(SECOND);
    expect(calls).toHaveLength(20);
    expect(new Set(calls).size).toBe(20);
  });

  it('activities that repeat stop waiting when the instance is cancelled', async () => {
    const app = await node();
    await run(app, every('00:00:10'));
    await (await app.get(IWorkflowRuntime).createClient('i')).cancel();
    await clock.advance(MINUTE);
    expect(calls).toEqual([]);
  });

  it('activities that repeat stop waiting when their method has failed', async () => {
    const app = await node();
    act = async () => {
      await Promise.resolve();
      throw new Error('the service is gone');
    };
    await run(app, every('00:00:10'));
    await clock.advance(MINUTE);
    expect(calls).toEqual(['10:00:10']);
    expect((await state()).subStatus).toBe('Faulted');
  });

  it.each([0, -5, 'often', null])('activities that repeat fail when their interval is %p', async (interval) => {
    const app = await node();
    await run(app, every(interval));
    expect((await state()).state.incidents).toMatchObject([{ exception: { metadata: { code: 'WM6002' } } }]);
  });

  it('activities that repeat fail when they begin at a time that is not one', async () => {
    const app = await node();
    for (const [n, time] of [new Date('nonsense'), 'nonsense', 5].entries()) {
      unchecked = time;
      await run(app, { id: 'U', type: 'App.Unchecked' }, `i${n}`);
      const { incidents } = (await store.instances.load(`i${n}`))!.state;
      expect([time, incidents]).toMatchObject([time, [{ exception: { metadata: { code: 'WM6002' } } }]]);
    }
  });
});
