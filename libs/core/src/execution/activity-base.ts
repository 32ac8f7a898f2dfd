import type { ActivityExecutionContext } from './activity-execution-context.js';
import type { ActivityMigration } from './activity-migration.js';
import type { Signal, SignalContext } from './signals.js';

/**
 * Base of all activities. The class is constructed once; every execution gets an object of its own that inherits from
 * that instance, with the evaluated inputs as own properties. Therefore `private` members work and `#private` ones do
 * not: they belong to the one instance.
 *
 * An activity that returns from `execute` (or from a callback) without having completed, created a bookmark or scheduled
 * a child completes with the default outcomes: nothing is left that could ever complete it.
 * @example
 * @Activity({ category: 'Shop', outcomes: ['Paid', 'Refused'] })
 * export class AwaitPayment extends ActivityBase {
 *   @Input() orderId!: string;
 *
 *   execute(ctx: ActivityExecutionContext) {
 *     ctx.createBookmark({ stimulus: { orderId: this.orderId }, callback: this.onPaid });
 *   }
 *
 *   onPaid(ctx: ActivityExecutionContext<{ paid: boolean }>) {
 *     return ctx.completeWithOutcomes(ctx.input.paid ? 'Paid' : 'Refused');
 *   }
 * }
 */
export abstract class ActivityBase {
  /** Names in `ctx.properties` that its records leave out: bookkeeping that would be written again with every change. */
  readonly unrecordedProperties?: readonly string[];

  /** False: the activity is not executed now and stays Pending. */
  canExecute?(ctx: ActivityExecutionContext): boolean | Promise<boolean>;

  /** Runs the activity; the engine calls it. */
  abstract execute(ctx: ActivityExecutionContext): unknown;

  /** Receives signals of its descendants and of itself; see `SignalContext.stopPropagation`. */
  onSignal?(signal: Signal, context: SignalContext): unknown;

  /** A child was cancelled while this activity goes on. */
  onChildCanceled?(ctx: ActivityExecutionContext, child: ActivityExecutionContext): unknown;

  /** True: what cleans up within it is part of it, see decision 36. It needs `onCleanedUp`. */
  isScope?(ctx: ActivityExecutionContext): boolean;

  /** A part of this scope has cleaned up, or this execution was cancelled and has come to the scope that it is part of now. */
  onCleanedUp?(ctx: ActivityExecutionContext): unknown;

  /**
   * This execution is cancelled. True: it has cancelled what it does not need, stays for what it still has to do, and goes on
   * when `onCleanedUp` is called.
   */
  outlivesCancel?(ctx: ActivityExecutionContext): boolean;

  /** True: when that child fails, there is nothing left that this execution could clean up. */
  isFailedBy?(ctx: ActivityExecutionContext, child: ActivityExecutionContext): boolean;

  /** This execution was cancelled: give back what it holds outside the workflow. */
  onCanceled?(ctx: ActivityExecutionContext): unknown;

  /**
   * This execution moves to another version of its workflow, while it is stored: nothing runs, and nothing may be done outside.
   * `this` is the activity of the version to come. For containers that store which child is next, or came from where.
   */
  onMigrated?(migration: ActivityMigration): void;
}

/** A trigger payload that is indexed under another stimulus name than the activity type. */
export class NamedTriggerPayload {
  constructor(
    /** Stimulus name. */
    readonly name: string,
    /** What a stimulus of that name has to say. */
    readonly payload: unknown,
  ) {}
}

/** Facts for `getTriggerPayloads`: the activity's inputs are set, but there is no instance and no workflow input. */
export interface TriggerIndexingContext {
  /** Stimulus name of the rows. @default the activity type */
  triggerName: string;
  /** A context whose inputs are evaluated, without an instance. */
  readonly execution: ActivityExecutionContext;
}

/**
 * Base of activities that can start workflows: they say what to listen for; listening happens outside of them.
 * @example
 * @Trigger({ type: 'Files.Changed' })
 * export class FileChanged extends TriggerBase {
 *   @Input() path!: string;
 *   getTriggerPayloads() {
 *     return [{ path: this.path }]; // what `IStimulusSender.send('Files.Changed', { path })` must equal
 *   }
 *   execute(ctx: ActivityExecutionContext) {
 *     return ctx.isTriggerOfWorkflow() ? ctx.complete() : ctx.createBookmark({ stimulus: { path: this.path } });
 *   }
 * }
 */
export abstract class TriggerBase extends ActivityBase {
  /** One stored trigger per payload; none at all when the list is empty. */
  abstract getTriggerPayloads(context: TriggerIndexingContext): readonly unknown[] | Promise<readonly unknown[]>;

  /** When the scheduler has to fire the row with that payload first; for time-based triggers only. */
  getTriggerDueAt?(payload: unknown, now: number): Date | null | undefined;

  /** A key that no two definitions may share, e.g. one HTTP method of one path. */
  getExclusiveKey?(payload: unknown): string | undefined;

  /** Parts of a payload that decide whether a stimulus matches. @default all of it */
  getHashInput?(payload: unknown): unknown;
}

/** Whether an activity can also start workflows. */
export function isTrigger(activity: object): activity is TriggerBase {
  return typeof (activity as Partial<TriggerBase>).getTriggerPayloads === 'function';
}
