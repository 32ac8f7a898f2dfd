import { afterAll, afterEach, beforeEach, expect, it } from '@jest/globals';
import { Injectable, Logger } from '@nestjs/common';
import { Activity, ActivityBase, type ActivityExecutionContext, type ActivityJson } from '@waymark/core';
import {
  IBookmarkQueue,
  IWorkflowDefinitionPublisher,
  IWorkflowRuntime,
  type WorkflowClock,
  type WorkflowPersistence,
} from '@waymark/runtime';
import { RuntimeMaintenance, SystemClock } from '@waymark/runtime/adapter';
import { resolveSchedulingOptions, SCHEDULING_OPTIONS, schedulingProviders } from '@waymark/scheduling/adapter';
import { SteppingTime } from '@waymark/testing';
import { testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';
import { literal, type RuntimeNode, sequence, startedBy, startNode } from '../support/runtime-node.js';

const backends = await testBackends('sqlite', 'mysql', 'postgres');

const MINUTE = 60_000;
/** The time is real: five ticks are waited for. */
const TICK_MS = 200;
/** What is not the step of eleven minutes: the clocks of two nodes are apart by less, on a busy machine too. */
const SLACK_MS = MINUTE;

interface Tick {
  readonly scheduledAt: number;
  /** By the clock of the node that was left alone. */
  readonly firedAt: number;
}

let ticks: Tick[];
let ticked: () => void;
let steady: WorkflowClock;
let held: (() => void)[];

@Injectable()
@Activity({ namespace: 'Test' })
class NoteTick extends ActivityBase {
  execute(ctx: ActivityExecutionContext): void {
    const scheduledAt = ctx.workflow.getInput('ScheduledAt') as Date;
    ticks.push({ scheduledAt: scheduledAt.getTime(), firedAt: steady.now() });
    ticked();
  }
}

/** Runs until the test lets it end. */
@Injectable()
@Activity({ namespace: 'Test' })
class Hold extends ActivityBase {
  execute(): Promise<void> {
    return new Promise((resolve) => held.push(resolve));
  }
}

const timeSpan = (value: string) => literal(value, 'TimeSpan');
const every200Ms: ActivityJson = {
  type: 'Elsa.Timer',
  id: 'Every',
  interval: timeSpan('00:00:00.2'),
  customProperties: { ...startedBy.customProperties, misfire: 'all' },
};

async function ticksUntil(enough: () => boolean): Promise<void> {
  while (!enough()) await new Promise<void>((resolve) => (ticked = resolve));
}

beforeEach(() => {
  Logger.overrideLogger(false);
  [ticks, held] = [[], []];
  ticked = () => {};
});
afterEach(() => Logger.overrideLogger(undefined as never));

// Memory has no clock but that of its process, and one node only.
describeOn(backends, 'on $name', (backend) => {
  const nodes: RuntimeNode[] = [];
  const node = async (time: SteppingTime, firesTimers: boolean) => {
    const clock = new SystemClock(time);
    const store: WorkflowPersistence = await backend.create();
    const scheduling = { provide: SCHEDULING_OPTIONS, useValue: resolveSchedulingOptions({ enabled: firesTimers }) };
    const providers = [NoteTick, Hold, ...schedulingProviders, scheduling];
    const started = await startNode(store, { clock, pollIntervalMs: 1000, providers });
    nodes.push(started);
    return { clock, store, ...started, get: started.get };
  };
  afterEach(async () => {
    for (const end of held.splice(0)) end();
    for (const started of nodes.splice(0)) await started.close();
  });

  it.each([11, -11])(
    'the wall clock of a node steps by %d minutes, and nothing happens early, twice or late',
    async (minutes) => {
      const time = new SteppingTime();
      const stepping = await node(time, true);
      const other = await node(new SteppingTime(), false);
      steady = other.clock;
      const id = (name: string) => `${name} ${minutes}`;
      await other.deploy(id('tick'), sequence('S', every200Ms, { type: 'Test.NoteTick', id: 'Note' }));
      await other.deploy(id('sleep'), { type: 'Elsa.Delay', id: 'Sleep', timeSpan: timeSpan('00:05:00') });
      const halfway = { options: { commitStrategyName: 'ActivityExecuting' } };
      await other.deploy(id('hold'), sequence('S', { type: 'Test.Hold', id: 'Hold' }), halfway);
      const run = async (on: RuntimeNode, definition: string) =>
        (await on.get(IWorkflowRuntime).createClient()).createAndRunInstance({ definition });
      const sleeper = await run(stepping, id('sleep'));
      const burst = run(other, id('hold'));
      const stimulus = await stepping.get(IBookmarkQueue).enqueue({ correlationId: id('nothing waits for this') });
      // Its timers live on the stepping node alone.
      await stepping.get(RuntimeMaintenance).runOnce();
      await ticksUntil(() => ticks.length >= 2 && held.length === 1);

      time.stepWall(minutes * MINUTE);
      // At once, before it has had the time to ask the database.
      await stepping.get(RuntimeMaintenance).runEverything();
      const before = ticks.length;
      await ticksUntil(() => ticks.length >= before + 3);
      await stepping.get(RuntimeMaintenance).runEverything();

      expect(Math.abs(stepping.clock.now() - steady.now())).toBeLessThan(SLACK_MS);
      expect(stepping.clock.isInDoubt).toBe(false);
      const late = ticks.map(({ scheduledAt, firedAt }) => firedAt - scheduledAt);
      expect(Math.min(...late)).toBeGreaterThan(-SLACK_MS);
      expect(Math.max(...late)).toBeLessThan(SLACK_MS);
      const series = ticks.map(({ scheduledAt }) => scheduledAt).sort((a, b) => a - b);
      expect(series).toEqual(series.map((_, index) => series[0]! + index * TICK_MS));
      const { instances, queue } = other.store;
      expect((await instances.load(sleeper.workflowInstanceId))?.subStatus).toBe('Suspended');
      expect(await queue.find(stimulus)).toBeDefined();
      expect((await queue.findDeadLetters({})).totalCount).toBe(0);
      expect(await other.store.outbox.count()).toMatchObject({ deadLetters: 0 });
      expect(held).toHaveLength(1);
      held.splice(0)[0]!();
      expect(await burst).toMatchObject({ subStatus: 'Finished' });
      await other.get(IWorkflowDefinitionPublisher).retract(id('tick'));
    },
    60_000,
  );

  afterAll(() => backend.drop());
});
