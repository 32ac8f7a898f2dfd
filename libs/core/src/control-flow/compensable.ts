import { Activity, Input, Port } from '../activities/decorators.js';
import type { ActivityExecutionContext } from '../execution/activity-execution-context.js';
import { scopeAround } from '../execution/clean-up.js';
import { addEntries, ENTRIES, makeEntry, takeEntry } from '../execution/compensation.js';
import type { ActivityNode } from '../graph/activity-node.js';
import { CarriedFault } from '../state/stored-fault.js';
import { ScopeActivity } from './scope-activity.js';

/** Property of an execution that undoes or confirms an earlier one: which of both. */
const FOLLOW_UP = 'FollowUp';
/** Property: what the body has made. */
const OUTPUTS = 'BodyOutputs';

type FollowUp = 'Undo' | 'Confirm';

/** A step that is undone if the enclosing scope fails or is cancelled after the step has completed. */
@Activity({
  type: 'Waymark.Compensable',
  category: 'Control Flow',
  description: 'A step that is undone if the enclosing scope fails or is cancelled after the step has completed.',
})
export class Compensable extends ScopeActivity {
  /** Names of the variables whose values are kept for the undo. Without it, all of them are kept. */
  @Input({
    type: 'List<String>',
    isWrapped: false,
    description: 'Names of the variables whose values are kept for the undo. Without it, all of them are kept.',
  })
  keep: readonly string[] | null | undefined;
  /** The step. */
  @Port() body: ActivityNode | undefined;
  /** Runs to undo the step, when the enclosing scope fails or is cancelled. */
  @Port() undo: ActivityNode | undefined;
  /** Runs when it is certain that the step will not be undone. */
  @Port() confirm: ActivityNode | undefined;

  execute(ctx: ActivityExecutionContext): unknown {
    // Run again after a fault, it must not do again what it is to undo.
    const again = ctx.existingProperties?.[FOLLOW_UP] as FollowUp | undefined;
    if (again) return this.follow(ctx, again);
    this.begin(ctx);
    const entry = takeEntry(ctx);
    if (!entry) return ctx.schedule(this.body, { callback: this.onBodyCompleted });
    return this.follow(ctx, entry.isConfirmed ? 'Confirm' : 'Undo');
  }

  private follow(ctx: ActivityExecutionContext, kind: FollowUp): unknown {
    ctx.properties[FOLLOW_UP] = kind;
    ctx.log(kind === 'Undo' ? 'Undoing' : 'Confirming');
    return ctx.schedule(kind === 'Undo' ? this.undo : this.confirm, { callback: this.onFollowUpCompleted });
  }

  /** Called by the engine when the body has completed. */
  onBodyCompleted(ctx: ActivityExecutionContext, child: ActivityExecutionContext): unknown {
    // What it has made is kept: what cleans up in the body may take long.
    ctx.properties[OUTPUTS] = child === ctx ? undefined : child.outputs;
    return this.continueWith(ctx, 'Complete');
  }

  /** Called by the engine when the undo or the confirmation has completed. (An undo cannot be undone.) */
  onFollowUpCompleted(ctx: ActivityExecutionContext): unknown {
    delete ctx.properties[ENTRIES];
    return this.continueWith(ctx, 'End');
  }

  override onChildCanceled(ctx: ActivityExecutionContext, child: ActivityExecutionContext): unknown {
    const isFollowUp = child.node === (ctx.existingProperties?.[FOLLOW_UP] === 'Undo' ? this.undo : this.confirm);
    return ctx.existingProperties?.[FOLLOW_UP] !== undefined && isFollowUp
      ? this.onFollowUpCompleted(ctx)
      : super.onChildCanceled(ctx, child);
  }

  protected override proceed(ctx: ActivityExecutionContext, step: string): unknown {
    if (step === 'Complete') return this.complete(ctx);
    if (this.isCanceled(ctx)) return this.endCanceled(ctx);
    const fault = this.faultOf(ctx);
    return fault ? ctx.workflow.invoker.fault(ctx, new CarriedFault(fault)) : ctx.complete();
  }

  private complete(ctx: ActivityExecutionContext): unknown {
    const outputs = ctx.properties[OUTPUTS] as Record<string, unknown> | undefined;
    delete ctx.properties[OUTPUTS];
    const scope = scopeAround(ctx);
    if (scope && (this.undo || this.confirm)) {
      const entry = makeEntry(ctx, outputs, this.keep);
      // With an undo of its own it answers for what is inside; else that stays as it is.
      if (this.undo) delete ctx.properties[ENTRIES];
      const confirmable = this.confirm ? { ...entry, hasConfirm: true as const } : entry;
      addEntries(scope, [this.undo ? confirmable : { ...confirmable, isConfirmOnly: true }]);
    }
    return ctx.complete();
  }

  /** What undoes or confirms an earlier step is tried again. */
  override onTimedOut(ctx: ActivityExecutionContext, error: Error): boolean {
    return ctx.existingProperties?.[FOLLOW_UP] === undefined && super.onTimedOut(ctx, error);
  }

  /** An undo that has started is completed even if the instance is cancelled. */
  override outlivesCancel(ctx: ActivityExecutionContext): boolean {
    return ctx.existingProperties?.[FOLLOW_UP] !== undefined || super.outlivesCancel(ctx);
  }

  override isFailedBy(ctx: ActivityExecutionContext): boolean {
    return ctx.existingProperties?.[FOLLOW_UP] !== undefined;
  }
}
