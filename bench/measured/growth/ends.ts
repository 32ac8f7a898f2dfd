import {
  Activity,
  ActivityBase,
  type ActivityBuilder,
  type ActivityExecutionContext,
  type ActivityNode,
  activity,
  Children,
  fault,
  finish,
  fork,
  inline,
  isWaymarkError,
  parallelForEach,
  sequence,
  type WorkflowDefinitionBuilder,
} from '@waymark/core';
import { Workflow, type WorkflowBuilder } from '@waymark/nestjs';
import {
  type Alteration,
  AlterationRunner,
  Event,
  IInstanceMigrator,
  type IWorkflowClient,
  IWorkflowRuntime,
} from '@waymark/runtime';
import { StallMeter } from '../../measure/stall-meter.js';
import { argument } from '../../processes/serve-parent.js';
import { type NodeArgument, openNode, serveNode } from './node.js';

/** How many branches wait when something ends them. */
const { count } = argument<NodeArgument & { more: { count: number } }>().more;

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

/** Another one: it cancels the others, and has nothing left to wait for. */
@Activity({ type: 'Bench.CancelsOthers' })
class CancelsOthers extends FirstOf {
  override onDone(ctx: ActivityExecutionContext): void {
    ctx.cancelChildren();
  }
}

const items = Array.from({ length: count }, (_, i) => i);
const each = { id: 'each' };
const branchesOf = (body: ActivityBuilder): ActivityBuilder => parallelForEach(items, body, { id: 'many' });
const stop = (): ActivityBuilder => activity(Event, { eventName: 'stop' }, { id: 'stop' });
const many = (): ActivityBuilder => branchesOf(activity(Event, { eventName: 'never' }, each));

/** A burst that waits for the benchmark. */
const hold = { reached: (): void => undefined, goOn: (): void => undefined };
const held = (): ActivityBuilder =>
  inline(
    () =>
      new Promise<void>((resolve) => {
        hold.goOn = resolve;
        hold.reached();
      }),
  );

const roots: Readonly<Record<string, () => ActivityBuilder>> = {
  fork: () => fork([stop(), many()], { join: 'WaitAny' }),
  container: () => activity(FirstOf, { branches: [stop(), many()] }),
  cancels: () => activity(CancelsOthers, { branches: [stop(), many()] }),
  finish: () => fork([sequence([stop(), finish()]), many()]),
  waits: () => fork([stop(), many()]),
  held: () => fork([sequence([stop(), held()]), many()]),
  failed: () => fork([stop(), branchesOf(fault({ message: 'bad' }, each))]),
};

const workflows = Object.entries(roots).map(([name, root]) => {
  @Workflow({ id: `bench-${name}` })
  class Ends implements WorkflowBuilder {
    build(w: WorkflowDefinitionBuilder): void {
      w.options({ incidents: 'ContinueWithIncidents' });
      w.root(root());
    }
  }
  return Ends;
});

const node = await openNode({}, { providers: [FirstOf, CancelsOthers, ...workflows] });
const { app, persistence } = node;
const migrator = app.get(IInstanceMigrator);
const meter = new StallMeter();

interface Waiting {
  readonly client: IWorkflowClient;
  readonly id: string;
  readonly stopId: string;
}

const resume = ({ client, stopId }: Waiting): Promise<unknown> => client.runInstance({ bookmarkId: stopId });
const alter =
  (alteration: Alteration) =>
  ({ id }: Waiting): Promise<unknown> =>
    app.get(AlterationRunner).run(id, [alteration]);

/** The name of what ends them: the workflow, what is done to its instance, and what becomes of that. */
const ways: Readonly<Record<string, readonly [string, (waiting: Waiting) => Promise<unknown>, string]>> = {
  fork: ['fork', resume, 'Finished'],
  container: ['container', resume, 'Finished'],
  cancels: ['cancels', resume, 'Finished'],
  finish: ['finish', resume, 'Finished'],
  cancelled: ['waits', ({ client }) => client.cancel(), 'Cancelled'],
  cancelled_in_burst: ['held', cancelInBurst, 'Cancelled'],
  activity_cancelled: ['waits', alter({ type: 'CancelActivity', activityId: 'each' }), 'Suspended'],
  failed_cancelled: ['failed', alter({ type: 'CancelActivity', activityId: 'many' }), 'Suspended'],
  failed_retried: ['failed', alter({ type: 'ScheduleActivity', activityId: 'each' }), 'Suspended'],
  migrated: ['waits', ({ id }) => migrator.migrate(id, { targetVersion: 1 }), 'Suspended'],
};

async function cancelInBurst(waiting: Waiting): Promise<void> {
  const isReached = new Promise<void>((resolve) => (hold.reached = resolve));
  const running = resume(waiting);
  await isReached;
  const cancelling = waiting.client.cancel();
  // A turn for each part, and more: the activity returns after all is cancelled.
  for (let turn = 0; turn < count / 100; turn++) await new Promise((resolve) => setImmediate(resolve));
  hold.goOn();
  await Promise.all([running, cancelling]);
}

/** @returns the longest turn of the event loop, in processor time; undefined: the database does not take so large a state */
async function end(name: string): Promise<number | undefined> {
  const [workflow, act, expected] = ways[name]!;
  const client = await app.get(IWorkflowRuntime).createClient();
  const { workflowInstanceId: id } = client;
  const { bookmarks, subStatus } = await client.createAndRunInstance({ definition: `bench-${workflow}` });
  // With the incidents of all branches its state may be larger than a database takes.
  if (subStatus !== 'Suspended') return undefined;
  const stopId = bookmarks.find(({ activityId }) => activityId === 'stop')!.id;
  meter.begin();
  await act({ client, id, stopId });
  const { cpuMillis } = await meter.end();
  const loaded = await persistence.instances.load(id);
  if (loaded?.subStatus !== expected) throw new Error(`After ${name} the instance is ${loaded?.subStatus}.`);
  await persistence.instances.delete([id]);
  return cpuMillis;
}

serveNode(node, {
  /** The least of some runs: other jobs on the machine only add to it. */
  end: async ({ name, runs }: { name: string; runs: number }): Promise<number | undefined> => {
    try {
      let least = Infinity;
      for (let run = 0; run < runs; run++) {
        const millis = await end(name);
        if (millis === undefined) return undefined;
        least = Math.min(least, millis);
      }
      return least;
    } catch (error) {
      if (isWaymarkError(error, 'WM7017')) return undefined;
      throw error;
    }
  },
});
