import { ScheduleModule } from '@nestjs/schedule';
import { Test, type TestingModule } from '@nestjs/testing';
import { Activity, ActivityBase, type ActivityExecutionContext } from '@waymark/core';
import {
  IWorkflowDefinitionPublisher,
  IWorkflowScheduler,
  IWorkflowSchedules,
  MemoryPersistence,
  type WorkflowRuntimeOptions,
} from '@waymark/runtime';
import { resolveRuntimeOptions, RUNTIME_OPTIONS, WorkflowRuntimeModule } from '@waymark/runtime/adapter';
import { VirtualClock } from '@waymark/testing';
import { schedulingProviders } from '../module/scheduling.module.js';
import { resolveSchedulingOptions, SCHEDULING_OPTIONS, type SchedulingOptions } from '../module/scheduling-options.js';

// Shared by specifications, and one itself: so it is neither compiled nor published.

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;

export const at = (time: string): Date => new Date(`2026-03-01T${time}Z`);
export const literal = (typeName: string, value: unknown) => ({ typeName, expression: { type: 'Literal', value } });

/** Ends at once. */
@Activity({ type: 'App.Ends' })
export class Ends extends ActivityBase {
  execute(ctx: ActivityExecutionContext): unknown {
    return ctx.complete();
  }
}

/** Nodes with the real runtime, in memory, on one virtual clock and one store, from 10:00 of 1 March 2026 on. */
export class SchedulingNodes {
  readonly clock = new VirtualClock(at('10:00:00'));
  readonly store = new MemoryPersistence();
  private readonly nodes: TestingModule[] = [];

  async start(
    options: SchedulingOptions = {},
    more: Partial<WorkflowRuntimeOptions> = {},
    providers: readonly object[] = [],
  ): Promise<TestingModule> {
    const { clock, store: persistence } = this;
    const nodeName = `node-${this.nodes.length}`;
    const runtime = resolveRuntimeOptions({ clock, persistence, pollIntervalMs: MINUTE, nodeName, ...more });
    const parts = {
      imports: [ScheduleModule.forRoot()],
      providers: [
        { provide: RUNTIME_OPTIONS, useValue: runtime },
        { provide: SCHEDULING_OPTIONS, useValue: resolveSchedulingOptions(options) },
        ...schedulingProviders,
        Ends,
        ...(providers as (typeof Ends)[]),
      ],
    };
    const app = await Test.createTestingModule({ imports: [WorkflowRuntimeModule.compose(parts)] }).compile();
    await app.init();
    this.nodes.push(app);
    await clock.advance(0);
    return app;
  }

  /** Publishes a workflow; by default one that ends at once. */
  async publish(
    app: TestingModule,
    definitionId: string,
    root: object = { id: 'N', type: 'App.Ends' },
    options: object = {},
    more: object = {},
  ): Promise<void> {
    const model = { definitionId, root: root as never, options, ...more };
    expect((await app.get(IWorkflowDefinitionPublisher).saveAndPublish(model)).problems).toEqual([]);
  }

  async close(): Promise<void> {
    for (const app of this.nodes.splice(0)) await app.close();
  }

  async instances() {
    return (await this.store.instances.findMany({})).items;
  }

  /** When the instances were started, such as `10:01:00`, in order. */
  async startedAt(): Promise<string[]> {
    return (await this.instances()).map(({ createdAt }) => createdAt.toISOString().slice(11, 19)).sort(byText);
  }
}

const byText = (left: string, right: string): number => left.localeCompare(right);

export const scheduler = (app: TestingModule): IWorkflowScheduler => app.get(IWorkflowScheduler);
export const schedules = (app: TestingModule): IWorkflowSchedules => app.get(IWorkflowSchedules);

it('nodes for schedules start with a clock and a store in common', async () => {
  const cluster = new SchedulingNodes();
  const app = await cluster.start();
  await cluster.publish(app, 'w');
  const other = await cluster.start();
  expect(await scheduler(other).scheduleAt('x', at('10:00:01'), { definition: 'w' })).toBe(true);
  await cluster.clock.advance(SECOND);
  expect(await cluster.startedAt()).toEqual(['10:00:01']);
  await cluster.close();
});
