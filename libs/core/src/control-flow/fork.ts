import { Activity, Children, Input } from '../activities/decorators.js';
import { ActivityBase } from '../execution/activity-base.js';
import type { ActivityExecutionContext } from '../execution/activity-execution-context.js';
import type { ActivityMigration } from '../execution/activity-migration.js';
import type { Signal, SignalContext } from '../execution/signals.js';
import type { ActivityNode } from '../graph/activity-node.js';
import { forgetBreak, isBreaking, markBreaking } from './breaking.js';
import { scheduleRequestedChild } from './requested-child.js';

/** Starts several branches and waits for all of them, or for the first that completes. */
@Activity({
  type: 'Elsa.Fork',
  category: 'Control Flow',
  description: 'Starts several branches and waits for all of them, or for the first that completes.',
  isBrowsable: false,
})
export class Fork extends ActivityBase {
  /** Whether the fork completes with the first branch (`WaitAny`) or the last one (`WaitAll`). @default `WaitAll` */
  @Input({
    type: 'UnregisteredClrType:Elsa.Workflows.ForkJoinMode, Elsa.Workflows.Core',
    description: 'Whether the fork completes with the first branch or the last one.',
    isWrapped: false,
    uiHint: 'dropdown',
    uiSpecifications: {
      dropdown: {
        selectList: {
          items: [
            { text: 'WaitAll', value: 'WaitAll' },
            { text: 'WaitAny', value: 'WaitAny' },
          ],
        },
      },
    },
  })
  joinMode: string | number | null | undefined;

  /** Activities that begin side by side. */
  @Children() branches: ActivityNode[];

  execute(ctx: ActivityExecutionContext): void {
    for (const branch of this.branches) ctx.schedule(branch, { callback: this.onBranchCompleted });
  }

  /**
   * Called when a branch has completed. With WaitAll it does nothing: the engine completes an activity that has nothing left to
   * wait for.
   */
  onBranchCompleted(ctx: ActivityExecutionContext): unknown {
    const waitsForAny =
      this.joinMode === 1 || (typeof this.joinMode === 'string' && this.joinMode.toLowerCase() === 'waitany');
    return waitsForAny || isBreaking(ctx) ? ctx.complete() : undefined;
  }

  /** The next attempt begins all branches again. */
  override onTimedOut(ctx: ActivityExecutionContext): void {
    forgetBreak(ctx);
  }

  /** A Break in one branch ends the others, whether there is a loop around the fork or not. */
  override onSignal(signal: Signal, context: SignalContext): void {
    if (signal.type === 'Break') markBreaking(context.receiver);
    scheduleRequestedChild(signal, context, this.onBranchCompleted);
  }

  override onMigrated({ activity, counterpartOf, note }: ActivityMigration): void {
    const known = new Set((activity as Fork).branches.map((branch) => counterpartOf(branch)));
    for (const branch of this.branches)
      if (!known.has(branch))
        note(`'${branch.id}' is a new branch, which is not started: the other branches were started before`);
  }
}
