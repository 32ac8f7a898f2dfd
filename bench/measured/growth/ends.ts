import {
  Activity,
  ActivityBase,
  type ActivityBuilder,
  type ActivityExecutionContext,
  type ActivityNode,
  Children,
  activity,
  fault,
  finish,
  fork,
  inline,
  parallelForEach,
  sequence,
  timeout,
  tryCatch,
  writeLine,
  type WorkflowDefinitionBuilder,
} from '@waymark/core';
import { Workflow, type WorkflowBuilder } from '@waymark/nestjs';
import { AlterationRunner, Event, IInstanceMigrator, type IWorkflowClient, IWorkflowRuntime } from '@waymark/runtime';
import { StallMeter } from '../../measure/stall-meter.js';
import { argument } from '../../processes/serve-parent.js';
import { type NodeArgument, openNode, serveNode } from './node.js';

/** How many branches wait when one of the ways ends them. */
const { count } = argument<NodeArgument & { more: { count: number } }>().more;

const items = Array.from({ length: count }, (_, i) => i);
const many = (): ActivityBuilder =>
  parallelForEach(items, activity(Event, { eventName: 'never' }, { id: 'each' }), { id: 'many' });
const stop = (): ActivityBuilder => activity(Event, { eventName: 'stop' }, { id: 'stop' });

/** A container of an application: it ends with the first of its children. */
@Activity({ type: 'Bench.FirstOf' })
class FirstOf extends ActivityBase {
  @Children() branches: ActivityNode[];

  execute(ctx: ActivityExecutionContext): void {
    for (const branch of this.branches) ctx.schedule(branch, { callback: this.onDone });
  }

  onDone(ctx: ActivityExecutionContext): unknown {
    return ctx.complete();
  }
}

/** Another one: it cancels the others, and ends because there is nothing left to wait for. */
@Activity({ type: 'Bench.CancelsOthers' })
class CancelsOthers extends FirstOf {
  override onDone(ctx: ActivityExecutionContext): unknown {
    ctx.cancelChildren();
    return undefined;
  }
}

/** Another one, which has a method that waits: only then does it end the others. */
@Activity({ type: 'Bench.AsksFirst' })
class AsksFirst extends FirstOf {
  override async onDone(ctx: ActivityExecutionContext): Promise<void> {
    await Promise.resolve();
    await ctx.complete();
  }
}

/** Ends what the event leads to. */
let release: (() => void) | undefined;
let reached: (() => void) | undefined;
const hold = (): ActivityBuilder =>
  inline(async () => {
    reached?.();
    await new Promise<void>((resolve) => (release = resolve));
  });

const workflows: Record<string, () => ActivityBuilder> = {
  fork: () => fork([stop(), many()], { join: 'WaitAny' }),
  first: () => activity(FirstOf, { branches: [stop(), many()] }),
  cancels: () => activity(CancelsOthers, { branches: [stop(), many()] }),
  asks: () => activity(AsksFirst, { branches: [stop(), many()] }),
  nested: () => sequence([activity(FirstOf, { branches: [stop(), sequence([many()])] }), writeLine('after')]),
  finish: () => fork([sequence([stop(), finish()]), many()]),
  fault: () => fork([sequence([stop(), fault({ message: 'bad' })]), many()]),
  tried: () =>
    tryCatch([fork([sequence([stop(), fault({ message: 'bad' })]), many()])], { catch: writeLine('caught') }),
  timed: () => timeout('01:00:00', fork([stop(), many()], { join: 'WaitAny' })),
  rest: () => fork([stop(), many()]),
  held: () => fork([sequence([stop(), hold()]), many()]),
};

const classes = Object.entries(workflows).map(([name, build]) => {
  @Workflow({ id: `bench-${name}` })
  class Ends implements WorkflowBuilder {
    build(w: WorkflowDefinitionBuilder): void {
      w.root(build());
    }
  }
  return Ends;
});

@Workflow({ id: 'bench-failed' })
class Failed implements WorkflowBuilder {
  build(w: WorkflowDefinitionBuilder): void {
    w.options({ incidents: 'ContinueWithIncidents' });
    w.root(fork([stop(), parallelForEach(items, fault({ message: 'bad' }, { id: 'each' }), { id: 'many' })]));
  }
}

const node = await openNode({}, { providers: [FirstOf, CancelsOthers, AsksFirst, ...classes, Failed] });
const runtime = node.app.get(IWorkflowRuntime);
const meter = new StallMeter();

async function waiting(name: string): Promise<{ client: IWorkflowClient; stopId: string }> {
  const client = await runtime.createClient();
  const { bookmarks } = await client.createAndRunInstance({ definition: `bench-${name}` });
  return { client, stopId: bookmarks.find(({ activityId }) => activityId === 'stop')?.id ?? '' };
}

/** Each way of ending what waits. @returns the state that is expected */
const ways: Record<string, () => Promise<string>> = {};
const resumed = (name: string, expected: string) => async () => {
  const { client, stopId } = await waiting(name);
  return measured(client, expected, () => client.runInstance({ bookmarkId: stopId }));
};
for (const name of ['fork', 'first', 'cancels', 'asks', 'nested', 'finish', 'tried', 'timed'])
  ways[name] = resumed(name, 'Finished');
ways.fault = resumed('fault', 'Faulted');
ways.cancel = async () => {
  const { client } = await waiting('rest');
  return measured(client, 'Cancelled', () => client.cancel());
};
ways.delete = async () => {
  const { client } = await waiting('rest');
  return measured(client, undefined, () => client.delete());
};
ways.cancelRunning = async () => {
  const { client, stopId } = await waiting('held');
  const isReached = new Promise<void>((resolve) => (reached = resolve));
  const running = client.runInstance({ bookmarkId: stopId }).catch(() => undefined);
  await isReached;
  return measured(client, 'Cancelled', async () => {
    const cancelled = client.cancel();
    await new Promise((resolve) => setTimeout(resolve, 50));
    release!();
    await running;
    await cancelled;
  });
};
const altered =
  (alteration: object, expected: string, name = 'rest') =>
  async () => {
    const { client, stopId } = await waiting(name);
    if (name === 'fault') await client.runInstance({ bookmarkId: stopId });
    return measured(client, expected, async () => {
      const result = await node.app.get(AlterationRunner).run(client.workflowInstanceId, [alteration as never]);
      if (!result.isSuccessful) throw new Error(JSON.stringify(result.log));
    });
  };
ways.alterCancelActivity = altered({ type: 'CancelActivity', activityId: 'many' }, 'Suspended');
ways.alterCancelEach = altered({ type: 'CancelActivity', activityId: 'each' }, 'Suspended');
ways.alterSkip = altered({ type: 'SkipActivity', activityId: 'many' }, 'Suspended');
ways.alterSkipEach = altered({ type: 'SkipActivity', activityId: 'each' }, 'Suspended');
ways.alterCancel = altered({ type: 'Cancel' }, 'Cancelled');
ways.alterCancelWithOther = async () => 'x';
delete ways.alterCancelWithOther;
ways.alterRetry = altered({ type: 'ScheduleActivity', activityId: 'many' }, 'Suspended', 'fault');
ways.cancelFaultedActivity = altered({ type: 'CancelActivity', activityId: 'many' }, 'Faulted', 'fault');
ways.failedRetry = altered({ type: 'ScheduleActivity', activityId: 'each' }, 'Suspended', 'failed');
ways.failedCancelEach = altered({ type: 'CancelActivity', activityId: 'each' }, 'Suspended', 'failed');
ways.failedSkipEach = altered({ type: 'SkipActivity', activityId: 'each' }, 'Suspended', 'failed');
ways.failedCancelMany = altered({ type: 'CancelActivity', activityId: 'many' }, 'Suspended', 'failed');
ways.dryRun = async () => {
  const { client } = await waiting('rest');
  return measured(client, 'Suspended', () =>
    node.app.get(IInstanceMigrator).dryRun(client.workflowInstanceId, { targetVersion: 1 }),
  );
};
ways.migrate = async () => {
  const { client } = await waiting('rest');
  return measured(client, 'Suspended', () =>
    node.app.get(IInstanceMigrator).migrate(client.workflowInstanceId, { targetVersion: 1 }),
  );
};
ways.migrateUndo = async () => {
  const { client } = await waiting('rest');
  await node.app.get(IInstanceMigrator).migrate(client.workflowInstanceId, { targetVersion: 1 });
  return measured(client, 'Suspended', () => node.app.get(IInstanceMigrator).undo(client.workflowInstanceId));
};

async function measured(
  client: IWorkflowClient,
  expected: string | undefined,
  task: () => Promise<unknown>,
): Promise<string> {
  await new Promise((resolve) => setTimeout(resolve, 300));
  meter.begin();
  const begin = performance.now();
  await task();
  const all = performance.now() - begin;
  const { millis, cpuMillis } = await meter.end();
  const loaded = await node.persistence.instances.load(client.workflowInstanceId);
  if (loaded?.subStatus !== expected) throw new Error(`is ${loaded?.subStatus}`);
  if (loaded) await node.persistence.instances.delete([client.workflowInstanceId]);
  return `longest ${millis.toFixed(0)} ms, cpu ${cpuMillis.toFixed(0)} ms, in all ${all.toFixed(0)}`;
}

serveNode(node, {
  end: async (name: string) => {
    try {
      return await ways[name]!();
    } catch (error) {
      return String(error);
    }
  },
  ways: () => Object.keys(ways),
});
