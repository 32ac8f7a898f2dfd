import { LOG_MODES } from '../execution/activity-record.js';
import { ActivityBase } from '../execution/activity-base.js';
import type { ActivityExecutionContext } from '../execution/activity-execution-context.js';
import { cancelOthers, completePending, goOnCleaning, isCleaning } from '../execution/clean-up.js';
import { ENTRIES, entriesOf, planUndo, UNDOS, undosOf } from '../execution/compensation.js';
import { ActivityStatus } from '../state/workflow-state.js';

/** Where a scope is. */
export const ScopePhase = {
  Body: 'Body',
  Unwinding: 'Unwinding',
  Catch: 'Catch',
  Finally: 'Finally',
  Ended: 'Ended',
} as const;
export type ScopePhase = (typeof ScopePhase)[keyof typeof ScopePhase];

const PHASE = 'Phase';
/** Properties that would make the records of a scope as large as all that it may have to undo. */
export const SCOPE_BOOKKEEPING: readonly string[] = [ENTRIES, UNDOS];
/** What follows when nothing cleans up any more. */
const NEXT = 'Next';
const IS_CANCELED = 'IsCanceled';

/**
 * Base of the activities that owe something when they are left (decision 36): what was completed in them is undone when it
 * is by a fault or a cancellation. What follows is kept by name, since undoing may take days.
 */
export abstract class ScopeActivity extends ActivityBase {
  override readonly unrecordedProperties?: readonly string[] = SCOPE_BOOKKEEPING;

  override isScope(_ctx: ActivityExecutionContext): boolean {
    return true;
  }

  /** Goes on after everything in the scope has cleaned up. @param step as given to `continueWith` */
  protected abstract proceed(ctx: ActivityExecutionContext, step: string): unknown;

  /** Begins with the body. Also when it is run again after a fault, of which nothing may be left. */
  protected begin(ctx: ActivityExecutionContext): void {
    ctx.workflow.hasScopes = true;
    const modes = ctx.existingProperties?.[LOG_MODES];
    ctx.properties = { ...(modes === undefined ? {} : { [LOG_MODES]: modes }), [PHASE]: ScopePhase.Body };
  }

  protected phaseOf(ctx: ActivityExecutionContext): ScopePhase | undefined {
    return ctx.existingProperties?.[PHASE] as ScopePhase | undefined;
  }

  protected enter(ctx: ActivityExecutionContext, phase: ScopePhase): void {
    ctx.properties[PHASE] = phase;
  }

  /** Does that when nothing in the scope cleans up any more. */
  protected continueWith(ctx: ActivityExecutionContext, step: string): unknown {
    ctx.properties[NEXT] = step;
    return this.goOn(ctx);
  }

  override onCleanedUp(ctx: ActivityExecutionContext): unknown {
    return this.goOn(ctx);
  }

  private goOn(ctx: ActivityExecutionContext): unknown {
    if (goOnCleaning(ctx)) return undefined;
    if (completePending(ctx)) return undefined;
    const step = ctx.existingProperties?.[NEXT] as string | undefined;
    if (step === undefined) return undefined;
    delete ctx.properties[NEXT];
    return this.proceed(ctx, step);
  }

  /** Cancels the body and undoes what was completed in it; then that follows. */
  protected unwind(ctx: ActivityExecutionContext, then: string): unknown {
    this.stop(ctx, then);
    return this.goOn(ctx);
  }

  private stop(ctx: ActivityExecutionContext, then: string): void {
    this.enter(ctx, ScopePhase.Unwinding);
    cancelOthers(ctx);
    planUndo(ctx);
    ctx.properties[NEXT] = then;
  }

  /** True: something is left to be done when the scope is cancelled now. */
  protected owes(ctx: ActivityExecutionContext): boolean {
    return entriesOf(ctx).length > 0 || undosOf(ctx) !== undefined || isCleaning(ctx);
  }

  override outlivesCancel(ctx: ActivityExecutionContext): boolean {
    if (this.phaseOf(ctx) === ScopePhase.Ended || !this.owes(ctx)) return false;
    ctx.properties[IS_CANCELED] = true;
    if (this.phaseOf(ctx) !== ScopePhase.Finally) this.stop(ctx, this.afterCancel());
    return true;
  }

  /** What follows when a cancelled scope has undone what it had to. */
  protected afterCancel(): string {
    return 'End';
  }

  protected isCanceled(ctx: ActivityExecutionContext): boolean {
    return ctx.existingProperties?.[IS_CANCELED] === true;
  }

  /** Ends one that was cancelled: the scope that it has moved to is notified. */
  protected endCanceled(ctx: ActivityExecutionContext): unknown {
    this.enter(ctx, ScopePhase.Ended);
    const { parent, callback } = ctx;
    ctx.cancel({ notifyParent: false });
    return parent?.status === ActivityStatus.Running && callback ? parent.call(callback, ctx, undefined) : undefined;
  }
}
