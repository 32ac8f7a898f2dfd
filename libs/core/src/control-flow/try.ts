import { Activity, Input, Output, Port } from '../activities/decorators.js';
import type { ActivityExecutionContext } from '../execution/activity-execution-context.js';
import type { ActivityMigration } from '../execution/activity-migration.js';
import { recoverFromFault } from '../execution/activity-invoker.js';
import { cancelOthers, giveUp } from '../execution/clean-up.js';
import { storedFault } from '../execution/stored-faults.js';
import {
  BreakSignal,
  CompleteCompositeSignal,
  type FaultSignal,
  type Signal,
  type SignalContext,
} from '../execution/signals.js';
import type { ActivityNode } from '../graph/activity-node.js';
import type { NodeReader } from '../graph/child-reader.js';
import { Outcomes } from '../state/outcomes.js';
import { CarriedFault, type CaughtError, type StoredFault } from '../state/stored-fault.js';
import { ActivityStatus } from '../state/workflow-state.js';
import { isPromiseLike } from '../values/promise-like.js';
import { leaveBy } from './breaking.js';
import { type CatchBranch, readCatches } from './catch-branch.js';
import { completeAround } from './complete-around.js';
import { LoopActivity } from './loop-activity.js';
import { FAULT, NEXT, ScopeActivity, ScopePhase } from './scope-activity.js';

/** Which catch: its index, or that of `catch` itself. */
const CATCH = 'Catch';
const ELSE = -1;
/** A signal that has to continue when the finally is done. */
const LEFT_BY = 'LeftBy';

type LeftBy = { readonly type: 'Break' } | { readonly type: 'CompleteComposite'; readonly outcomes?: string[] };

/** Runs its body, catches errors by code or name, and always runs its finally branch. */
@Activity({
  type: 'Waymark.Try',
  category: 'Control Flow',
  displayName: 'Try',
  description: 'Runs its body, catches errors by code or name, and always runs its finally branch.',
})
export class Try extends ScopeActivity {
  /** Branches for certain errors: a list of `{ errors, activity }`. The first that matches runs. */
  @Input({
    type: 'List<CatchBranch>',
    uiHint: 'catch-editor',
    isWrapped: false,
    description: 'Branches for certain errors: a list of `{ errors, activity }`. The first that matches runs.',
  })
  catches: unknown;
  /** The error that was caught, or null. */
  @Output({ type: 'Object', description: 'The error that was caught, or null.' }) error: CaughtError | undefined;
  /** What is tried. */
  @Port() body: ActivityNode | undefined;
  /** What handles errors that no other catch handles. */
  @Port() catch: ActivityNode | undefined;
  /** What is done in any case, also when the scope is cancelled. */
  @Port() finally: ActivityNode | undefined;
  private branches: readonly CatchBranch[];

  /** Reads members of the JSON that are not inputs. The engine calls it once for each occurrence in a definition. */
  static readNode(json: Readonly<Record<string, unknown>>, reader: NodeReader): Record<string, unknown> {
    return { branches: readCatches(json.catches, reader) };
  }

  execute(ctx: ActivityExecutionContext): unknown {
    this.begin(ctx);
    return ctx.schedule(this.body, { callback: this.onBranchCompleted });
  }

  /** The body, or a catch. */
  onBranchCompleted(ctx: ActivityExecutionContext): unknown {
    const phase = this.phaseOf(ctx);
    return phase === ScopePhase.Body || phase === ScopePhase.Catch ? this.continueWith(ctx, 'Finally') : undefined;
  }

  /** Called by the engine when what it runs was cancelled by itself: by an operator, for instance. The finally runs nevertheless. */
  override onChildCanceled(ctx: ActivityExecutionContext, child: ActivityExecutionContext): unknown {
    const phase = this.phaseOf(ctx);
    if (child.node === this.finally) return phase === ScopePhase.Finally ? this.onFinallyCompleted(ctx) : undefined;
    const isBranch = phase === ScopePhase.Body || phase === ScopePhase.Catch;
    return isBranch ? this.onBranchCompleted(ctx) : super.onChildCanceled(ctx, child);
  }

  /** Called by the engine when the `finally` part has completed. */
  onFinallyCompleted(ctx: ActivityExecutionContext): unknown {
    return this.continueWith(ctx, 'End');
  }

  protected override proceed(ctx: ActivityExecutionContext, step: string): unknown {
    if (step === 'Catch') return this.runCatch(ctx);
    if (step === 'Finally' && this.finally) return this.runFinally(ctx, this.finally);
    return this.end(ctx);
  }

  override onSignal(signal: Signal, context: SignalContext): unknown {
    const { receiver: ctx, sender } = context;
    const phase = this.phaseOf(ctx);
    if (sender === ctx || (phase !== ScopePhase.Body && phase !== ScopePhase.Catch)) return undefined;
    if (signal.type === 'Fault') return this.onFault(signal as FaultSignal, context, phase);
    if (!this.finally) return undefined;
    if (signal.type === 'Break') return this.onBreak(signal as BreakSignal, context);
    if (signal.type === 'CompleteComposite') return this.onComplete(signal as CompleteCompositeSignal, context);
    return undefined;
  }

  protected override owes(ctx: ActivityExecutionContext): boolean {
    return this.finally !== undefined || super.owes(ctx);
  }

  protected override afterCancel(): string {
    return 'Finally';
  }

  override isFailedBy(ctx: ActivityExecutionContext, child: ActivityExecutionContext): boolean {
    return this.phaseOf(ctx) === ScopePhase.Finally && child.node === this.finally;
  }

  // ----- errors -----

  /** Where there is nothing to do about it, the fault continues to the scope outside as if there were no Try. */
  private onFault({ exception, faulted }: FaultSignal, context: SignalContext, phase: ScopePhase): unknown {
    const { receiver: ctx } = context;
    const fault = storedFault(exception, faulted);
    const found = phase === ScopePhase.Body ? this.findCatch(fault) : undefined;
    if (found === undefined && !this.owes(ctx)) return undefined;
    context.stopPropagation();
    ctx.log(found === undefined ? 'Unwinding' : 'Caught', fault.exception.message, {
      activityId: fault.error.activityId,
      keys: fault.keys,
    });
    takeBack(faulted, exception);
    giveUp(faulted, ctx);
    ctx.properties[FAULT] = fault;
    delete ctx.properties[CATCH];
    if (found !== undefined) ctx.properties[CATCH] = found;
    return this.unwind(ctx, found === undefined ? 'Finally' : 'Catch');
  }

  private findCatch(fault: StoredFault): number | undefined {
    const index = this.branches.findIndex(({ errors }) => !errors || errors.matchSome(fault.keys));
    if (index >= 0) return index;
    return this.catch ? ELSE : undefined;
  }

  private runCatch(ctx: ActivityExecutionContext): unknown {
    const index = ctx.properties[CATCH] as number;
    const branch = index === ELSE ? this.catch : this.branches[index]?.activity;
    const { error } = ctx.properties[FAULT] as StoredFault;
    // It is dealt with: what fails from now on is another error.
    delete ctx.properties[FAULT];
    try {
      ctx.setOutput('Error', error);
    } catch (thrown) {
      // What it is bound to does not take it: as if the catch had failed.
      ctx.properties[FAULT] = storedFault(thrown, ctx);
      return this.proceed(ctx, 'Finally');
    }
    this.enter(ctx, ScopePhase.Catch);
    return ctx.schedule(branch, { callback: this.onBranchCompleted, variables: { Error: error } });
  }

  private runFinally(ctx: ActivityExecutionContext, branch: ActivityNode): unknown {
    const fault = this.faultOf(ctx);
    this.enter(ctx, ScopePhase.Finally);
    return ctx.schedule(branch, {
      callback: this.onFinallyCompleted,
      variables: { Error: fault?.error ?? null },
    });
  }

  private end(ctx: ActivityExecutionContext): unknown {
    if (this.isCanceled(ctx)) return this.endCanceled(ctx);
    const fault = this.faultOf(ctx);
    this.enter(ctx, ScopePhase.Ended);
    if (fault) return ctx.workflow.invoker.fault(ctx, new CarriedFault(fault));
    const leftBy = ctx.existingProperties?.[LEFT_BY] as LeftBy | undefined;
    if (leftBy?.type === 'Break') return passBreak(ctx);
    if (leftBy?.type === 'CompleteComposite') return passComplete(ctx, leftBy.outcomes);
    return ctx.complete();
  }

  /** The catch that was chosen runs when all is undone, which may take days: it is the same one in the other version. */
  override onMigrated({ activity, properties, counterpartOf, refuse }: ActivityMigration): void {
    if (properties[NEXT] !== 'Catch') return;
    const before = activity as Try;
    const index = properties[CATCH] as number;
    const branch = before.branches[index];
    const to = index === ELSE ? ELSE : this.branches.findIndex((other) => isSame(branch, other, counterpartOf));
    if (to >= 0 || (index === ELSE && this.catch)) properties[CATCH] = to;
    else refuse('it is about to run a catch that the other version does not have');
  }

  // ----- ways out that do not come through the end of the body -----

  /**
   * The containers in the body know it, and complete one after the other. Without a loop, it ends nothing else: it is passed on at once,
   * as without a finally. A container around that waits for several branches would wait on for those that are left.
   */
  private onBreak(signal: BreakSignal, { receiver: ctx, stopPropagation }: SignalContext): void {
    if (!isInLoop(ctx)) return;
    stopPropagation();
    ctx.properties[LEFT_BY] = { type: 'Break' } satisfies LeftBy;
    signal.scope = { ctx, leave: () => this.leaveBranch(ctx) };
  }

  /** What the Break left running would keep the finally, and so the loop, from ending. */
  private leaveBranch(ctx: ActivityExecutionContext): unknown {
    const phase = this.phaseOf(ctx);
    const isLeft = ctx.status !== ActivityStatus.Running || (phase !== ScopePhase.Body && phase !== ScopePhase.Catch);
    if (isLeft) return undefined;
    cancelOthers(ctx);
    this.enter(ctx, ScopePhase.Unwinding);
    return this.continueWith(ctx, 'Finally');
  }

  private onComplete({ result }: CompleteCompositeSignal, context: SignalContext): unknown {
    const { receiver: ctx } = context;
    context.stopPropagation();
    completeAround(context);
    const outcomes = result instanceof Outcomes ? [...result.names] : undefined;
    ctx.properties[LEFT_BY] = { type: 'CompleteComposite', outcomes } satisfies LeftBy;
    this.enter(ctx, ScopePhase.Unwinding);
    return this.continueWith(ctx, 'Finally');
  }
}

/** The incident is gone, since the error is dealt with; the record of the activity, which is cancelled, still shows it. */
function takeBack(faulted: ActivityExecutionContext, exception: unknown): void {
  recoverFromFault(faulted);
  faulted.exception = exception;
}

/** A catch without an activity is known by its errors. */
function isSame(
  branch: CatchBranch | undefined,
  other: CatchBranch,
  counterpartOf: ActivityMigration['counterpartOf'],
): boolean {
  if (!branch) return false;
  if (branch.activity) return other.activity !== undefined && other.activity === counterpartOf(branch.activity);
  return other.activity === undefined && other.names.join('\n') === branch.names.join('\n');
}

function isInLoop(ctx: ActivityExecutionContext): boolean {
  for (let c = ctx.parent; c; c = c.parent) if (c.activity instanceof LoopActivity) return true;
  return false;
}

function passBreak(ctx: ActivityExecutionContext): unknown {
  const signal = new BreakSignal();
  const sent = ctx.workflow.invoker.sendSignal(ctx, signal, ctx.parent ?? null);
  return isPromiseLike(sent) ? sent.then(() => leaveBy(signal, ctx)) : leaveBy(signal, ctx);
}

function passComplete(ctx: ActivityExecutionContext, outcomes: readonly string[] | undefined): unknown {
  const { parent, callback } = ctx;
  // As Complete does: it would be cancelled together with what it ends.
  ctx.callback = undefined;
  ctx.complete();
  const signal = new CompleteCompositeSignal(outcomes && new Outcomes(...outcomes));
  const sent = ctx.workflow.invoker.sendSignal(ctx, signal, parent ?? null);
  const tell = (): unknown =>
    callback && parent?.status === ActivityStatus.Running ? parent.call(callback, ctx, undefined) : undefined;
  return isPromiseLike(sent) ? sent.then(tell) : tell();
}
