import { Activity, Children } from '../activities/decorators.js';
import { ActivityBase } from '../execution/activity-base.js';
import type { ActivityExecutionContext } from '../execution/activity-execution-context.js';
import type { ActivityMigration } from '../execution/activity-migration.js';
import type { Signal, SignalContext } from '../execution/signals.js';
import type { ActivityNode } from '../graph/activity-node.js';
import { scheduleRequestedChild } from './requested-child.js';

/** Starts all of its activities and waits until every one of them has completed. */
@Activity({
  type: 'Elsa.Parallel',
  category: 'Workflows',
  description: 'Starts all of its activities and waits until every one of them has completed.',
  isContainer: true,
  isBrowsable: false,
})
export class Parallel extends ActivityBase {
  /** Activities that begin side by side. */
  @Children() activities: ActivityNode[];

  execute(ctx: ActivityExecutionContext): void {
    for (const activity of this.activities) ctx.schedule(activity, { callback: this.onChildCompleted });
  }

  /** Called when a child has completed. It does nothing: the engine completes an activity that has nothing left to wait for. */
  onChildCompleted(): void {}

  override onSignal(signal: Signal, context: SignalContext): void {
    scheduleRequestedChild(signal, context, this.onChildCompleted);
  }

  override onMigrated({ activity, counterpartOf, note }: ActivityMigration): void {
    const known = new Set((activity as Parallel).activities.map((branch) => counterpartOf(branch)));
    for (const branch of this.activities)
      if (!known.has(branch))
        note(`'${branch.id}' is a new branch, which is not started: the other branches were started before`);
  }
}
