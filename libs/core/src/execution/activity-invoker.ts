import { InputEvaluationError, WorkflowExecutionError } from '../errors/execution-errors.js';
import { readableError } from './readable-error.js';
import { endsBurst, toErrorLike } from '../errors/waymark-error.js';
import { isPromiseLike } from '../values/promise-like.js';
import { findCallback } from './callback-methods.js';
import type { CompiledInput } from '../graph/compiled-input.js';
import { JournalEvent } from '../journal/journal-entry.js';
import { applyBackground, BACKGROUND_BOOKMARK, planBackground } from './background-activity.js';
import type { JournalWriter } from './journal-writer.js';
import { LOG_MODES } from './activity-record.js';
import { ValueConversionError } from '../values/value-conversion-error.js';
import type { ActivityExecutionContext } from './activity-execution-context.js';
import type { ActivityMiddleware, EngineOptions } from './engine-options.js';
import { faultPayload, toExceptionState } from '../state/exception-state.js';
import { endInTime, endTimeout, LATEST_TIME, startTimeout } from './activity-timeouts.js';
import { reasonOf } from './failed-attempt.js';
import { answerFault, applyIncidentStrategy, warnOfHandler } from './fault-handlers.js';
import { TIMEOUT_BOOKMARK } from '../definitions/activity-timeout.js';
import { nextRetryDelay, RETRY_BOOKMARK } from '../definitions/retry-policy.js';
import { forgetFaultsBelow, recoverFromFault } from './recover-from-faults.js';
import { FaultSignal, type Signal, SuspendedSignal } from './signals.js';
import { afterRestoring, noteBusy } from './restore-within.js';
import { REPEATS, waitAgain } from './repeated-wait.js';
import type { WorkItem } from './work-item.js';
import { ActivityStatus, type Bookmark } from '../state/workflow-state.js';

export { recoverFromFault, recoverFromFaults } from './recover-from-faults.js';

type Maybe = unknown;

/**
 * Runs one work item: the activity pipeline. Built-in steps, outermost first: faults → journal → middleware of the host →
 * inputs → the activity or its bookmark callback → outputs → completion of what waits for nothing.
 *
 * 1. Every step is synchronous as long as the activity is: an activity that returns no promise costs no promise.
 * 2. What is rare has methods of its own: the compiler puts the way of most activities into the loop of the burst as long as it is
 *    short, and each call that is left there costs every step.
 */
export class ActivityInvoker {
  private readonly middleware: readonly ActivityMiddleware[];
  /** If true, the host has no middleware. */
  private readonly isBare: boolean;

  constructor(private readonly engine: EngineOptions) {
    this.middleware = engine.activityMiddleware ?? [];
    this.isBare = this.middleware.length === 0;
  }

  invoke(ctx: ActivityExecutionContext, item: WorkItem): Maybe {
    ctx.isExecuting = true;
    ctx.isDirty = true;
    // Resumed where it stood failed beside others: its incident would remain, and so what counts it.
    if (ctx.status === ActivityStatus.Faulted) recoverFromFault(ctx);
    ctx.status = ActivityStatus.Running;
    if (ctx.workflow.journal) logBegin(ctx, item, ctx.workflow.journal);
    try {
      const running =
        this.isBare && ctx.node.isPlain && item.bookmark === undefined ? this.begin(ctx) : this.pass(ctx, item);
      return isPromiseLike(running) ? this.settle(ctx, running) : this.finish(ctx);
    } catch (error) {
      return this.fault(ctx, error);
    }
  }

  /** The way of most: nothing is asked before, and nothing is around it. */
  private begin(ctx: ActivityExecutionContext): Maybe {
    const ready = this.evaluateInputs(ctx, 0);
    return ready === undefined ? this.executePlain(ctx) : ready.then(() => this.executePlain(ctx));
  }

  private executePlain(ctx: ActivityExecutionContext): Maybe {
    if (ctx.node.hasInputRules !== false) this.engine.validateInputs?.(ctx);
    return ctx.activity.execute(ctx);
  }

  private pass(ctx: ActivityExecutionContext, item: WorkItem): Maybe {
    return this.isBare ? this.run(ctx, item) : this.runMiddleware(ctx, item, 0);
  }

  private async settle(ctx: ActivityExecutionContext, running: PromiseLike<unknown>): Promise<void> {
    ctx.workflow.expectTimeToPass();
    try {
      await running;
      await this.finish(ctx);
    } catch (error) {
      await this.fault(ctx, error);
    }
  }

  private runMiddleware(ctx: ActivityExecutionContext, item: WorkItem, index: number): Maybe {
    const middleware = this.middleware[index];
    return middleware ? middleware(ctx, () => this.runMiddleware(ctx, item, index + 1)) : this.run(ctx, item);
  }

  private run(ctx: ActivityExecutionContext, item: WorkItem): Maybe {
    if (item.bookmark && !isResume(item)) ctx.workflow.consume(item.bookmark);
    const deciding = ctx.node.logPersistence?.decide && this.decideLogModes(ctx);
    return isPromiseLike(deciding) ? deciding.then(() => this.prepare(ctx, item)) : this.prepare(ctx, item);
  }

  private decideLogModes(ctx: ActivityExecutionContext): Maybe {
    if (ctx.properties[LOG_MODES]) return undefined;
    const keep = (modes: unknown): void => void (ctx.properties[LOG_MODES] = modes);
    const modes = ctx.node.logPersistence!.decide!(ctx.expressionScope);
    return isPromiseLike(modes) ? modes.then(keep) : keep(modes);
  }

  private prepare(ctx: ActivityExecutionContext, item: WorkItem): Maybe {
    const ready = isResume(item) ? this.restoreInputs(ctx) : this.evaluateInputs(ctx, 0);
    return ready ? ready.then(() => this.start(ctx, item)) : this.start(ctx, item);
  }

  private start(ctx: ActivityExecutionContext, item: WorkItem): Maybe {
    if (isResume(item)) return this.resume(ctx, item);
    if (ctx.node.hasInputRules !== false) this.engine.validateInputs?.(ctx);
    return ctx.node.hasPrecondition ? this.executeIfAllowed(ctx) : this.execute(ctx);
  }

  private executeIfAllowed(ctx: ActivityExecutionContext): Maybe {
    const allowed = ctx.activity.canExecute?.(ctx) ?? true;
    const decide = (isAllowed: unknown): Maybe => (isAllowed ? this.execute(ctx) : this.leavePending(ctx));
    return isPromiseLike(allowed) ? allowed.then(decide) : decide(allowed);
  }

  private leavePending(ctx: ActivityExecutionContext): void {
    ctx.status = ActivityStatus.Pending;
    ctx.log(JournalEvent.PreconditionFailed);
  }

  private execute(ctx: ActivityExecutionContext): Maybe {
    return ctx.node.isBackground && this.engine.background ? planBackground(ctx) : ctx.activity.execute(ctx);
  }

  /** What waits while it has many children may be about to end them: a timeout does. */
  private resume(ctx: ActivityExecutionContext, item: WorkItem): Maybe {
    return ctx.activeChildren === undefined
      ? this.resumeRestored(ctx, item)
      : afterRestoring(ctx, () => this.resumeRestored(ctx, item));
  }

  private resumeRestored(ctx: ActivityExecutionContext, item: WorkItem): Maybe {
    const bookmark = item.bookmark!;
    if (bookmark.name === BACKGROUND_BOOKMARK) return applyBackground(ctx, bookmark);
    ctx.workflow.consume(bookmark);
    if (bookmark.name === TIMEOUT_BOOKMARK) return endInTime(ctx, bookmark);
    if (bookmark.callbackMethodName) {
      const method = findCallback(ctx.activity, bookmark.callbackMethodName);
      if (!method)
        throw new WorkflowExecutionError(
          'WM2015',
          `Bookmark '${bookmark.id}' calls method '${bookmark.callbackMethodName}', which activity '${ctx.node.type}' no longer has, or which does not continue it. Restore the method, or repair the instance.`,
        );
      const called = (method as BookmarkCallback).call(ctx.activity, ctx, bookmark);
      if (bookmark.metadata?.[REPEATS] === undefined) return called;
      return isPromiseLike(called) ? called.then(() => waitAgain(ctx, bookmark)) : waitAgain(ctx, bookmark);
    }
    return bookmark.autoComplete ? ctx.complete() : undefined;
  }

  /** Evaluates from the given input on; goes asynchronous at the first one that has to. */
  private evaluateInputs(ctx: ActivityExecutionContext, from: number): Promise<void> | undefined {
    const inputs = ctx.node.evaluatedInputs;
    for (let i = from; i < inputs.length; i++) {
      const input = inputs[i]!;
      const value = this.evaluate(ctx, input);
      if (isPromiseLike(value)) return this.awaitInput(ctx, i, value);
      setInput(ctx, input, value);
    }
    return undefined;
  }

  private async awaitInput(ctx: ActivityExecutionContext, index: number, value: PromiseLike<unknown>): Promise<void> {
    const input = ctx.node.evaluatedInputs[index]!;
    let evaluated: unknown;
    try {
      evaluated = await value;
    } catch (error) {
      throw new InputEvaluationError(input.name, ctx.node.id, reasonToShow(input, error));
    }
    setInput(ctx, input, evaluated);
    await this.evaluateInputs(ctx, index + 1);
  }

  private evaluate(ctx: ActivityExecutionContext, input: CompiledInput): unknown {
    if (input.constant) return input.constant.value;
    try {
      return input.evaluate!(ctx.expressionScope) ?? null;
    } catch (error) {
      throw new InputEvaluationError(input.name, ctx.node.id, reasonToShow(input, error));
    }
  }

  /** On resume the inputs are those of the first execution; only what may not be stored is evaluated again. */
  restoreInputs(ctx: ActivityExecutionContext): Promise<void> | undefined {
    ctx.isRestored = false;
    const missing: CompiledInput[] = [];
    for (const input of ctx.node.evaluatedInputs) {
      if (Object.hasOwn(ctx.activity, input.propertyName)) continue;
      if (ctx.notedInputs && Object.hasOwn(ctx.notedInputs, input.name))
        (ctx.activity as unknown as Record<string, unknown>)[input.propertyName] = ctx.notedInputs[input.name];
      else if (input.constant) setInput(ctx, input, input.constant.value);
      else missing.push(input);
    }
    if (!missing.length) return undefined;
    return (async () => {
      for (const input of missing) setInput(ctx, input, await this.evaluate(ctx, input));
    })();
  }

  private finish(ctx: ActivityExecutionContext): Maybe {
    ctx.isExecuting = false;
    if (ctx.status === ActivityStatus.Running && ctx.node.outputDescriptors.length > 0) ctx.collectOutputs();
    if (ctx.workflow.isTracking) return this.finishLater(ctx);
    if (ctx.status !== ActivityStatus.Running) return undefined;
    return ctx.isWaiting ? this.suspend(ctx) : ctx.complete();
  }

  private async finishLater(ctx: ActivityExecutionContext): Promise<void> {
    await Promise.all(ctx.workflow.takeTracked() ?? []);
    await this.finish(ctx);
  }

  private suspend(ctx: ActivityExecutionContext): Maybe {
    // What it has scheduled begins when it is done, not when it began.
    ctx.workflow.now();
    ctx.logSuspension();
    const hasWait = ctx.hasBookmarks;
    if (ctx.node.timeoutMs !== undefined) startTimeout(ctx, ctx.node.timeoutMs);
    return hasWait ? this.sendSignal(ctx, new SuspendedSignal()) : undefined;
  }

  // ----- faults -----

  /**
   * Marks the activity faulted, lets ancestors take over, and otherwise applies the incident strategy.
   * @throws what ends the burst
   */
  fault(ctx: ActivityExecutionContext, thrown: unknown): Maybe {
    const readable = readableError(thrown);
    if (endsBurst(readable)) throw readable;
    const error = explain(readable, ctx);
    const { workflow } = ctx;
    ctx.isExecuting = false;
    if (!workflow.isRunning || ctx.isFinal) {
      this.engine.warn?.(
        `Activity '${ctx.node.nodeId}' of instance '${workflow.id}' failed after it had ended: ${workflow.secrets.shownError(toErrorLike(error).message)}`,
      );
      return undefined;
    }
    if (this.retryLater(ctx, error)) return undefined;
    ctx.exception = error;
    ctx.status = ActivityStatus.Faulted;
    endTimeout(ctx);
    for (let c: ActivityExecutionContext | undefined = ctx; c; c = c.parent) {
      c.faultCount++;
      c.isDirty = true;
    }
    const exception = workflow.secrets.shown(toExceptionState(error, workflow.secrets));
    workflow.incidents.push({
      activityId: ctx.node.id,
      activityNodeId: ctx.node.nodeId,
      activityType: ctx.node.type,
      activityInstanceId: ctx.id,
      message: exception.message,
      exception,
      timestamp: new Date(workflow.now()),
    });
    workflow.journal?.log(ctx, JournalEvent.Faulted, {
      message: exception.message,
      payload: faultPayload(exception),
    });
    const answer = this.sendSignal(ctx, new FaultSignal(error, ctx));
    return isPromiseLike(answer)
      ? answer.then((handled) => this.afterFaultSignal(ctx, handled === true))
      : this.afterFaultSignal(ctx, answer === true);
  }

  /** Another attempt, if the activity's policy has one left: what the failed one scheduled or waited for is withdrawn. */
  private retryLater(ctx: ActivityExecutionContext, error: unknown): boolean {
    const { retryPolicy } = ctx.node;
    const attempt = ctx.attempt - ctx.attemptsBefore;
    const delayMs = retryPolicy && nextRetryDelay(retryPolicy, attempt, error);
    if (delayMs === undefined) return false;
    forgetFaultsBelow(ctx);
    ctx.cancelChildren();
    endTimeout(ctx);
    ctx.removeBookmarks();
    const { node, workflow } = ctx;
    const { maxAttempts } = retryPolicy!;
    const nextAt = new Date(Math.min(workflow.now() + delayMs, LATEST_TIME));
    ctx.log(
      'Retrying',
      `Attempt ${attempt} of ${maxAttempts} failed: ${workflow.secrets.shownError(toErrorLike(error).message)}`,
    );
    const reason = workflow.secrets.shownError(reasonOf(error));
    workflow.failedAttempts.push({ node, activityInstanceId: ctx.id, attempt, maxAttempts, nextAt, reason });
    ctx.attempt++;
    ctx.createBookmark({ name: RETRY_BOOKMARK, includeActivityInstanceId: true, dueAt: nextAt });
    ctx.logSuspension();
    return true;
  }

  private afterFaultSignal(ctx: ActivityExecutionContext, handled: boolean): Maybe {
    return handled ? recoverFromFault(ctx) : applyIncidentStrategy(ctx, this.engine);
  }

  // ----- signals -----

  /** @returns true when a receiver stopped the signal */
  sendSignal(sender: ActivityExecutionContext, signal: Signal, from?: ActivityExecutionContext | null): Maybe {
    for (let receiver = from === undefined ? sender : from; receiver; receiver = receiver.parent ?? null) {
      if (!receiver.activity.onSignal) continue;
      let stopped = false;
      const context = { sender, receiver, stopPropagation: () => void (stopped = true) };
      const answer =
        signal instanceof FaultSignal
          ? answerFault(signal, context, () => void (stopped = false))
          : receiver.activity.onSignal(signal, context);
      const next = receiver.parent;
      if (isPromiseLike(answer)) {
        if (sender.workflow.asksAtEnd) void noteBusy(receiver, answer);
        const sent = answer.then(() => stopped || (this.sendSignal(sender, signal, next ?? null) as boolean));
        // It fails the sender, which waits for it; as an error of the burst, nothing would be stored.
        void sender.workflow.track(sent.then(undefined, (error: unknown) => warnOfHandler(sender, signal, error)));
        return sent;
      }
      if (stopped) return true;
    }
    return false;
  }
}

function logBegin(ctx: ActivityExecutionContext, item: WorkItem, journal: JournalWriter): void {
  if (!item.existing) journal.log(ctx, JournalEvent.Started, undefined, ctx.startedAt);
  else journal.log(ctx, item.bookmark ? JournalEvent.Resumed : JournalEvent.Started);
}

type BookmarkCallback = (ctx: ActivityExecutionContext, bookmark: Bookmark) => unknown;

/** True when a bookmark's callback is to be called; a retry without one executes the activity anew. */
function isResume({ bookmark }: WorkItem): boolean {
  return bookmark !== undefined && (bookmark.name !== RETRY_BOOKMARK || bookmark.callbackMethodName !== undefined);
}

function setInput(ctx: ActivityExecutionContext, input: CompiledInput, value: unknown): void {
  (ctx.activity as unknown as Record<string, unknown>)[input.propertyName] = value;
  // A stored state takes them from the activity; only the journal needs them as they were.
  if (input.isEncrypted) {
    ctx.workflow.secrets.noteEncrypted(value);
    ctx.hide(input.name);
  } else if (input.isSensitive) ctx.workflow.secrets.note(value);
  const { journal } = ctx.workflow;
  if (input.isKept && journal && !input.isOmitted) ctx.noteInput(input.name, value, journal);
}

/** A conversion that fails quotes the value. */
export function reasonToShow({ isSensitive, type }: CompiledInput, error: unknown): unknown {
  if (!isSensitive || !(error instanceof ValueConversionError)) return error;
  return new WorkflowExecutionError('WM2039', `its value is secret and does not fit the type ${type.alias}.`);
}

/** A `#private` member belongs to the one provider instance and is missing on execution objects: say so. */
function explain(thrown: unknown, ctx: ActivityExecutionContext): unknown {
  if (
    toErrorLike(thrown).name !== 'TypeError' ||
    !/private (member|field|method|accessor)|#\w+ (from|to) an object/.test(toErrorLike(thrown).message)
  )
    return thrown;
  return new WorkflowExecutionError(
    'WM2016',
    `Activity '${ctx.node.type}' uses a #private member, which execution objects do not have. Declare it 'private' instead.`,
    { cause: thrown },
  );
}
