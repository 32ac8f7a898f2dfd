import { Activity, Children } from '../activities/decorators.js';
import { ActivityBase } from '../execution/activity-base.js';
import type { ActivityExecutionContext } from '../execution/activity-execution-context.js';
import type { ActivityMigration } from '../execution/activity-migration.js';
import { forgetFaultsBelow } from '../execution/recover-from-faults.js';
import type { Signal, SignalContext } from '../execution/signals.js';
import type { ActivityNode } from '../graph/activity-node.js';
import { forgetBreak, isBreaking, markBreaking } from './breaking.js';
import { scheduleRequestedChild } from './requested-child.js';

/** Index of the child to run next. */
const INDEX = 'CurrentIndex';

/** Runs its activities one after the other. */
@Activity({
  type: 'Elsa.Sequence',
  category: 'Workflows',
  description: 'Runs its activities one after the other.',
  isContainer: true,
  isBrowsable: false,
})
export class Sequence extends ActivityBase {
  /** Activities that run one after the other. */
  @Children() activities: ActivityNode[];

  execute(ctx: ActivityExecutionContext): unknown {
    return this.scheduleNext(ctx);
  }

  /** Called by the engine when a child has completed. */
  onChildCompleted(ctx: ActivityExecutionContext, child: ActivityExecutionContext): unknown {
    return child.node.isTerminal || isBreaking(ctx) ? ctx.complete() : this.scheduleNext(ctx, child);
  }

  /** The next attempt runs the step again that was cancelled: what comes behind it relies on it. */
  override onTimedOut(ctx: ActivityExecutionContext): void {
    forgetBreak(ctx);
    const index = (ctx.existingProperties?.[INDEX] as number | undefined) ?? 0;
    if (index > 0) ctx.properties[INDEX] = index - 1;
  }

  /** A Break ends this sequence as well, whether there is a loop around it or not. */
  override onSignal(signal: Signal, context: SignalContext): void {
    if (signal.type === 'Break') markBreaking(context.receiver);
    scheduleRequestedChild(signal, context, this.onChildCompleted, (ctx, child, existing) => {
      // It is at one place only: with two, steps would run twice, and the first that comes to the end would cancel the other.
      if (!existing) {
        forgetFaultsBelow(ctx);
        ctx.cancelChildren();
      }
      ctx.properties[INDEX] = this.activities.indexOf(child) + 1;
    });
  }

  /** Continues after the counterpart of the current child. */
  override onMigrated({ activity, properties, counterpartOf, refuse, note }: ActivityMigration): void {
    const index = (properties[INDEX] as number | undefined) ?? 0;
    if (index === 0) return;
    const before = (activity as Sequence).activities;
    const current = before[index - 1];
    const counterpart = current && counterpartOf(current);
    if (!counterpart) return refuse(`it is at '${current?.id ?? index}', which the other version does not have there`);
    const place = this.activities.indexOf(counterpart);
    const known = new Set(before.map((child) => counterpartOf(child)));
    for (const child of this.activities.slice(0, place))
      if (!known.has(child)) note(`'${child.id}' is new and comes before '${counterpart.id}', so it is not run`);
    properties[INDEX] = place + 1;
  }

  private scheduleNext(ctx: ActivityExecutionContext, after?: ActivityExecutionContext): unknown {
    const index = (ctx.properties[INDEX] as number | undefined) ?? 0;
    const next = this.activities[index];
    if (!next) return ctx.complete();
    ctx.properties[INDEX] = index + 1;
    return ctx.schedule(next, { callback: this.onChildCompleted, after });
  }
}
