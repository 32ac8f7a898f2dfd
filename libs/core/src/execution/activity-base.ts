import type { ActivityExecutionContext } from './activity-execution-context.js';
import type { ActivityMigration } from './activity-migration.js';
import type { Signal, SignalContext } from './signals.js';

/**
 * Base class of all activities. The class is constructed once; every execution gets an object of its own that inherits from
 * that instance, with the evaluated inputs as own properties. Therefore `private` members work, but `#private` ones do not,
 * because they belong to that one instance.
 *
 * An activity that returns from `execute` (or from a callback) without having completed, created a bookmark or scheduled
 * a child completes with the default outcomes, because nothing could complete it later.
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
  /** Names in `ctx.properties` that activity records leave out: internal data that would be written again with every change. */
  readonly unrecordedProperties?: readonly string[];

  /** Returns false if the activity is not to be executed now: it stays Pending. */
  canExecute?(ctx: ActivityExecutionContext): boolean | Promise<boolean>;

  /** Runs the activity; the engine calls it. */
  abstract execute(ctx: ActivityExecutionContext): unknown;

  /** Receives signals of its descendants and of itself; see `SignalContext.stopPropagation`. */
  onSignal?(signal: Signal, context: SignalContext): unknown;

  /** Called when a child was cancelled while this activity continues. */
  onChildCanceled?(ctx: ActivityExecutionContext, child: ActivityExecutionContext): unknown;

  /**
   * Returns true if this execution is a scope, which waits for the cleaning up inside it (ADR 36). It must implement `onCleanedUp`.
   */
  isScope?(ctx: ActivityExecutionContext): boolean;

  /**
   * Called when a part of this scope has cleaned up, or when this execution was cancelled and has been moved to its new scope.
   */
  onCleanedUp?(ctx: ActivityExecutionContext): unknown;

  /**
   * Called when this execution is cancelled. If it returns true, the execution has cancelled everything that it no longer
   * needs, remains for its cleaning up, and continues when `onCleanedUp` is called.
   */
  outlivesCancel?(ctx: ActivityExecutionContext): boolean;

  /** Returns true if this execution has nothing left to clean up when that child fails. */
  isFailedBy?(ctx: ActivityExecutionContext, child: ActivityExecutionContext): boolean;

  /**
   * Called when the time of this execution is over, before all that it contains is cancelled and it fails. It may be run again: then
   * `execute` has to find what the attempt was at, not what would have followed. If it returns true, the execution has cancelled
   * everything that it no longer needs, continues with `onCleanedUp`, and fails with the error when it has cleaned up.
   */
  onTimedOut?(ctx: ActivityExecutionContext, error: Error): boolean | void;

  /**
   * Called when this execution was cancelled: release resources that it holds outside of the workflow. Inputs are set. It may be called again
   * for the same execution. A promise is awaited, for 10 seconds at most where the whole instance is cancelled; what it throws is logged
   * (`WM1094`) and changes nothing.
   */
  onCanceled?(ctx: ActivityExecutionContext): unknown;

  /**
   * Called when this execution moves to another version of its workflow. The instance is stored: nothing runs, and the method
   * must not act outside of the workflow. `this` is the activity of the new version. Implement it in containers that store
   * which child comes next, or which connection was followed.
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

/** Context of `getTriggerPayloads`: the inputs of the activity are set, but an instance and workflow inputs do not exist yet. */
export interface TriggerIndexingContext {
  /** Stimulus name of the rows. @default the activity type */
  triggerName: string;
  /** A context whose inputs are evaluated, without an instance. */
  readonly execution: ActivityExecutionContext;
}

/**
 * Base class of activities that can start workflows. They declare what to listen for; other services listen.
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
  /** Returns the payloads to listen for. One trigger is stored for each of them. */
  abstract getTriggerPayloads(context: TriggerIndexingContext): readonly unknown[] | Promise<readonly unknown[]>;

  /** Returns the first time at which the scheduler fires the trigger with that payload. For time-based triggers only. */
  getTriggerDueAt?(payload: unknown, now: number): Date | null | undefined;

  /** Returns a key that only one definition may use, such as an HTTP method with a path. */
  getExclusiveKey?(payload: unknown): string | undefined;

  /** Returns the parts of a payload that decide whether a stimulus matches. @default all of it */
  getHashInput?(payload: unknown): unknown;
}

/** Returns true if an activity can also start workflows. */
export function isTrigger(activity: object): activity is TriggerBase {
  return typeof (activity as Partial<TriggerBase>).getTriggerPayloads === 'function';
}
