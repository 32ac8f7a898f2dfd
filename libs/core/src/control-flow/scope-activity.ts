import { LOG_MODES } from '../execution/activity-record.js';
import { ActivityBase } from '../execution/activity-base.js';
import type { ActivityExecutionContext } from '../execution/activity-execution-context.js';
import {
  cancelOthers,
  completePending,
  goOnCleaning,
  isCleaning,
  scopeAround,
  settleSurvivors,
} from '../execution/clean-up.js';
import { addEntries, ENTRIES, entriesOf, planUndo, UNDOS, undosOf } from '../execution/compensation.js';
import { storedFault } from '../execution/stored-faults.js';
import type { StoredFault } from '../state/stored-fault.js';
import { ActivityStatus } from '../state/workflow-state.js';

/** Phase in which a scope is. */
export const ScopePhase = {
  Body: 'Body',
  Unwinding: 'Unwinding',
  Catch: 'Catch',
  Finally: 'Finally',
  Ended: 'Ended',
} as const;
export type ScopePhase = (typeof ScopePhase)[keyof typeof ScopePhase];

const PHASE = 'Phase';
/** The error that it handles, or with which it ends when it has cleaned up. */
export const FAULT = 'Fault';
/** Properties that would make the records of a scope as large as all that it may have to undo. */
export const SCOPE_BOOKKEEPING: readonly string[] = [ENTRIES, UNDOS, FAULT];
/** What follows when nothing cleans up any more. */
export const NEXT = 'Next';
const IS_CANCELED = 'IsCanceled';

/**
 * Base class of activities that are scopes (ADR 36): when a fault or a cancellation leaves them, their completed steps are
 * undone. The next step is stored by name, because undoing may take days.
 */
export abstract class ScopeActivity extends ActivityBase {
  override readonly unrecordedProperties?: readonly string[] = SCOPE_BOOKKEEPING;

  override isScope(_ctx: ActivityExecutionContext): boolean {
    return true;
  }

  /** Continues after everything in the scope has cleaned up. @param step as given to `continueWith` */
  protected abstract proceed(ctx: ActivityExecutionContext, step: string): unknown;

  /**
   * Starts the body, also when the scope runs again after a fault; nothing of the failed run may remain. What that has not undone is
   * left to the scope around.
   */
  protected begin(ctx: ActivityExecutionContext): void {
    ctx.workflow.hasScopes = true;
    const outer = scopeAround(ctx);
    if (outer) addEntries(outer, [...(undosOf(ctx) ?? []), ...entriesOf(ctx)]);
    const modes = ctx.existingProperties?.[LOG_MODES];
    ctx.properties = { ...(modes === undefined ? {} : { [LOG_MODES]: modes }), [PHASE]: ScopePhase.Body };
  }

  protected phaseOf(ctx: ActivityExecutionContext): ScopePhase | undefined {
    return ctx.existingProperties?.[PHASE] as ScopePhase | undefined;
  }

  protected enter(ctx: ActivityExecutionContext, phase: ScopePhase): void {
    ctx.properties[PHASE] = phase;
  }

  /** Runs the given step as soon as nothing in the scope is cleaning up. */
  protected continueWith(ctx: ActivityExecutionContext, step: string): unknown {
    ctx.properties[NEXT] = step;
    return this.goOn(ctx);
  }

  override onCleanedUp(ctx: ActivityExecutionContext): unknown {
    return this.goOn(ctx);
  }

  /** What it has next to do stays so when what it ran was cancelled by itself: an undo by an operator, for instance. */
  override onChildCanceled(ctx: ActivityExecutionContext, _child: ActivityExecutionContext): unknown {
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

  /** Cancels the body and undoes its completed steps, then runs the given step. */
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

  /** Returns true if the scope has cleaning up to do when it is cancelled now. */
  protected owes(ctx: ActivityExecutionContext): boolean {
    return entriesOf(ctx).length > 0 || undosOf(ctx) !== undefined || isCleaning(ctx);
  }

  override outlivesCancel(ctx: ActivityExecutionContext): boolean {
    if (this.phaseOf(ctx) === ScopePhase.Ended || !this.owes(ctx)) return false;
    ctx.properties[IS_CANCELED] = true;
    if (this.phaseOf(ctx) !== ScopePhase.Finally) this.stop(ctx, this.afterCancel());
    return true;
  }

  /**
   * Undoes the steps of the attempt, as every error does that leaves the scope, and fails then: the next attempt does them again. The
   * finally is cut off. Who was cancelled is only cleaning up, and has no next attempt.
   */
  override onTimedOut(ctx: ActivityExecutionContext, error: Error): boolean {
    if (this.isCanceled(ctx)) return true;
    const phase = this.phaseOf(ctx);
    if (phase === undefined || phase === ScopePhase.Finally || phase === ScopePhase.Ended) return false;
    ctx.log('Unwinding', error.message);
    ctx.properties[FAULT] = storedFault(error, ctx);
    this.stop(ctx, this.afterCancel());
    settleSurvivors(ctx.workflow);
    return this.owes(ctx);
  }

  protected faultOf(ctx: ActivityExecutionContext): StoredFault | undefined {
    return ctx.existingProperties?.[FAULT] as StoredFault | undefined;
  }

  /** Runs after a scope that was cancelled, or has timed out, has undone its steps. */
  protected afterCancel(): string {
    return 'End';
  }

  protected isCanceled(ctx: ActivityExecutionContext): boolean {
    return ctx.existingProperties?.[IS_CANCELED] === true;
  }

  /** Ends a cancelled scope, and notifies the scope that it belongs to now. */
  protected endCanceled(ctx: ActivityExecutionContext): unknown {
    this.enter(ctx, ScopePhase.Ended);
    const { parent, callback } = ctx;
    ctx.cancelNow({ notifyParent: false });
    return parent?.status === ActivityStatus.Running && callback ? parent.call(callback, ctx, undefined) : undefined;
  }
}
