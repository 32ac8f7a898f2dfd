import type { ActivityBase } from './activity-base.js';
import type { ExpressionScope } from '../expressions/expression-scope.js';
import { WorkflowExecutionError } from '../errors/execution-errors.js';
import type { ActivityNode } from '../graph/activity-node.js';
import type { CompiledInput } from '../graph/compiled-input.js';
import { handleRejection, isPromiseLike } from '../values/promise-like.js';
import { JournalEvent } from '../journal/journal-entry.js';
import type { JournalWriter } from './journal-writer.js';
import { ActivityScope } from './activity-scope.js';
import { isTimeoutAlone } from './activity-timeouts.js';
import type { BookmarkOptions } from './bookmark-options.js';
import { methodNameOf, requireMethod } from './callback-methods.js';
import { ChildContexts } from './child-contexts.js';
import { staysWhenCancelled } from './clean-up.js';
import { isTooLateForBookmarks } from './late-calls.js';
import { noteMember } from './note-member.js';
import { RareContextParts, RECORDED_INPUTS, RECORDED_OUTPUTS } from './rare-context-parts.js';
import { DEFAULT_OUTCOMES, Outcomes } from '../state/outcomes.js';
import { endChildrenWithin, endWithin, noteBusy, staysAtEnd } from './restore-within.js';
import type { ScheduleOptions } from './schedule-options.js';
import { type Signal } from './signals.js';
import type { VariableSlot } from '../graph/variable.js';
import type { TimeSpanInput } from '../values/time-span.js';
import { type CallbackMethod, type CompletionCallback, type WorkDetails, WorkItem } from './work-item.js';
import type { WorkflowExecutionContext } from './workflow-execution-context.js';
import { ActivityStatus, type Bookmark } from '../state/workflow-state.js';

const CHILD_CANCELED: CompletionCallback = { method: 'onChildCanceled' };

/**
 * One execution of one activity. `Input` is the type of the input of a resume.
 *
 * Pending → Running → Completed | Canceled | Faulted; Faulted → Running when the fault is recovered.
 */
// oxlint-disable-next-line typescript/no-explicit-any -- what arrives with a resume is the sender's choice
export class ActivityExecutionContext<Input = any> extends RareContextParts {
  // Every member has a value from the start, in one order: one that is added later costs more than all others together.
  // And every member costs each step of every workflow: what few executions have is in `RareContextParts` and `ChildContexts`.
  /**
   * The execution object: it inherits from the provider and has the inputs and outputs of this execution. It is replaced by a
   * new one between two resumes (see `settleStep`).
   */
  activity: ActivityBase;
  /** Status of this execution. */
  status: ActivityStatus = ActivityStatus.Pending;
  /** True while its code runs. @internal */
  isExecuting = false;
  /** When it began, in milliseconds since 1970. */
  startedAt: number;
  /** When it ended, in milliseconds since 1970. */
  completedAt: number | undefined = undefined;
  /** What its container gave as `tag` when it scheduled it; in a callback, the `tag` of the child that has completed. */
  tag: unknown = undefined;
  /** Called on the parent when this execution completes. @internal */
  callback: CompletionCallback | undefined = undefined;
  /** Value with which it completed. */
  result: unknown = undefined;
  /** See `activityState`; for reading only. @internal */
  notedInputs: Record<string, unknown> | undefined = undefined;
  /** Outputs by PascalCase name. */
  outputs: Record<string, unknown> | undefined = undefined;
  /** Variables that are declared here, with their values. @internal */
  slots: VariableSlot[] | undefined = undefined;
  /** What it has scheduled and what became of it. @internal */
  activeChildren: ChildContexts | undefined = undefined;
  /** Depth of the call stack, parent instances included. @default 0 */
  callStackDepth: number;
  // The execution that led to it, by what makes its ids: its texts are for the journal and for a stored state alone, and
  // the execution itself would keep all that came before it in memory.
  private afterIdentity: string | number | undefined = undefined;
  private afterNode: ActivityNode | undefined = undefined;
  /** Its record must be written with the next commit. @internal */
  isDirty = true;
  // Links of `ChildContexts`, which alone changes them. It is in a list for as long as it is active.
  /** The executions of its container. @internal */
  siblings: ChildContexts | undefined = undefined;
  /** The one that was begun before it in its container. @internal */
  previousSibling: ActivityExecutionContext | undefined = undefined;
  /** The one that was begun after it in its container. @internal */
  nextSibling: ActivityExecutionContext | undefined = undefined;
  /** The name that an earlier burst gave it. @internal */
  storedOrigin: string | undefined = undefined;
  private bag: Record<string, unknown> | undefined = undefined;
  private scope: ActivityScope | undefined = undefined;

  /** @internal */
  constructor(
    /** Counts the executions of the instance, in the order of creation; those of a stored state have one below zero. */
    readonly number: number,
    private ownId: string | undefined,
    /** The node of the activity in the graph. */
    readonly node: ActivityNode,
    /** The instance that it belongs to. */
    readonly workflow: WorkflowExecutionContext,
    /**
     * The execution of its container. It changes when a cancelled execution cleans up: the nearest scope that is still running
     * becomes its parent.
     */
    public parent: ActivityExecutionContext | undefined,
    startedAt: number,
  ) {
    super();
    this.startedAt = startedAt;
    this.callStackDepth = parent ? parent.callStackDepth + 1 : 0;
    this.activity = node.createActivity();
  }

  /** Id of this execution, the activity instance id: the instance id and a counter. */
  get id(): string {
    return (this.ownId ??= this.workflow.idOf(this.number));
  }

  /** Outcomes with which it completed. */
  get outcomes(): readonly (string | null)[] {
    return this.result instanceof Outcomes ? this.result.names : DEFAULT_OUTCOMES;
  }

  /** Executions of its children that have not ended. @internal */
  get children(): ChildContexts {
    return (this.activeChildren ??= new ChildContexts());
  }

  /** Work items of this owner that still wait in the queue. @internal */
  get queuedWork(): number {
    return this.activeChildren === undefined ? 0 : this.activeChildren.queuedWork;
  }

  /** Says whose completion led to this execution, where the parent alone does not tell. @internal */
  follow(before: ActivityExecutionContext): void {
    // A journal asks for the id of each: made once, it is the same text in all records.
    this.afterIdentity = this.workflow.journal ? before.id : (before.ownId ?? before.number);
    this.afterNode = before.node;
    this.callStackDepth = before.callStackDepth + 1;
  }

  /** Id of the execution that scheduled this one. */
  get schedulingActivityExecutionId(): string | undefined {
    const { afterIdentity } = this;
    if (afterIdentity !== undefined)
      return typeof afterIdentity === 'number' ? this.workflow.idOf(afterIdentity) : afterIdentity;
    return this.scheduledBy ? this.scheduledBy.schedulingActivityExecutionId : this.parent?.id;
  }

  /** Id of the activity that scheduled this one. */
  get schedulingActivityId(): string | undefined {
    if (this.afterNode) return this.afterNode.id;
    return this.scheduledBy ? this.scheduledBy.schedulingActivityId : this.parent?.node.id;
  }

  /** Id of the instance whose activity scheduled this one. */
  get schedulingWorkflowInstanceId(): string | undefined {
    return this.scheduledBy?.schedulingWorkflowInstanceId;
  }

  /** Id of the activity in its definition. */
  get activityId(): string {
    return this.node.id;
  }

  /** Input of this burst: that of the request, event or resume that started it. */
  get input(): Input {
    return this.workflow.input as Input;
  }

  /** Correlation id of the instance: its business key. */
  get correlationId(): string | undefined {
    return this.workflow.correlationId;
  }

  /**
   * A key that is the same in every repetition of this execution and different in every other execution. Pass it to systems
   * that recognise repeated requests (W9). It consists of the instance, the activity, the burst that started it and its
   * position there.
   */
  get idempotencyKey(): string {
    return `${this.workflow.id}/${this.node.id}/${this.origin}`;
  }

  /** The burst that began it and its place there. @internal */
  get origin(): string {
    return this.storedOrigin ?? this.workflow.origin.nameOf(this.number);
  }

  /** Aborted when the burst is cancelled. */
  get signal(): AbortSignal {
    return this.workflow.signal;
  }

  /** Data of this execution, stored with the instance while the activity runs. */
  get properties(): Record<string, unknown> {
    return (this.bag ??= {});
  }
  set properties(value: Record<string, unknown>) {
    this.bag = value;
  }

  /** Only when they were asked for; the journal does not make empty ones to look into. @internal */
  get existingProperties(): Readonly<Record<string, unknown>> | undefined {
    return this.bag;
  }

  /** The scope in which expressions are evaluated. */
  get expressionScope(): ExpressionScope {
    return (this.scope ??= new ActivityScope(this));
  }

  /** True if it has completed or was cancelled. */
  get isFinal(): boolean {
    return this.status === ActivityStatus.Completed || this.status === ActivityStatus.Canceled;
  }

  /** True while this activity waits for a child, queued work or a bookmark that may complete it. */
  get isWaiting(): boolean {
    if (this.activeChildren !== undefined && this.activeChildren.isWaitedFor) return true;
    return this.hasBookmarks && !isTimeoutAlone(this);
  }

  /** Returns true during the first burst if this activity started the workflow. */
  isTriggerOfWorkflow(): boolean {
    const { graph, triggerActivityId, isTriggerUsedUp } = this.workflow;
    return !isTriggerUsedUp && graph.isTrigger(this.node, triggerActivityId);
  }

  // ----- variables, inputs, outputs -----

  /** Returns the value of the nearest variable with that name, or undefined if none is in scope. */
  getVariable<T = unknown>(name: string): T {
    return this.expressionScope.getVariable(name) as T;
  }

  /** Sets the nearest variable with that name. If none is in scope, it is declared in the nearest container. */
  setVariable(name: string, value: unknown): void {
    this.expressionScope.setVariable(name, value);
  }

  /** Returns the workflow input with that name, or `null` if it is missing. */
  getInput<T = unknown>(name: string): T {
    return this.expressionScope.getInput(name) as T;
  }

  /** Evaluates an input with `autoEvaluate: false` now. @throws WorkflowExecutionError (`WM2014`) the activity has no such input */
  evaluateInput(name: string): unknown {
    const input = this.node.inputs.find((i) => i.name === name || i.propertyName === name);
    if (!input)
      throw new WorkflowExecutionError('WM2014', `'${this.node.type}' has no input '${name}'. Correct the name.`);
    return this.evaluate(input);
  }

  /** Value of an input that is not evaluated by itself (`autoEvaluate: false`). @internal */
  evaluate(input: CompiledInput): unknown {
    return input.constant ? input.constant.value : (input.evaluate?.(this.expressionScope) ?? null);
  }

  /**
   * Inputs as they were evaluated, by PascalCase name: what the journal shows. Without a journal they are not noted. What is
   * in other hands may be changed there: then all that the burst records is looked through for secrets.
   * @internal
   */
  get activityState(): Record<string, unknown> | undefined {
    this.workflow.journal?.doubtAll();
    return this.notedInputs;
  }
  /** @internal */
  set activityState(inputs: Record<string, unknown> | undefined) {
    this.workflow.journal?.doubtInputs();
    this.notedInputs = inputs;
  }

  /** Notes an input for the journal. @internal */
  noteInput(name: string, value: unknown, journal: JournalWriter): void {
    noteMember((this.notedInputs ??= {}), name, value);
    journal.noteInput(name, value);
    this.forgetRecorded(RECORDED_INPUTS);
  }

  /** Sets an output, and the variable or workflow output that the definition binds it to. */
  setOutput(name: string, value: unknown): void {
    const key = this.node.outputName(name) ?? name;
    noteMember((this.outputs ??= {}), key, value);
    if (typeof value === 'object' && value !== null) handleRejection(value);
    this.workflow.journal?.weigh(value);
    this.forgetRecorded(RECORDED_OUTPUTS);
    const binding = this.node.outputs.get(key);
    if (binding && this.workflow.assignOutput(this, binding.targetId, value)) this.hide(key);
  }

  // ----- children -----

  /**
   * Schedules a child. If it is undefined (an empty port), the callback runs at once, with this context as the child; without a
   * callback, this activity completes. A cancelled activity schedules nothing.
   * @throws InvalidCallbackError (`WM2004`)
   */
  schedule(child: ActivityNode | undefined, options: ScheduleOptions = {}): unknown {
    const callback = options.callback && this.completionCallback(options.callback, options.tag);
    if (!child) {
      if (!callback) return this.complete();
      this.tag = callback.tag;
      return this.call(callback, this, undefined);
    }
    if (this.status === ActivityStatus.Canceled) return undefined;
    this.workflow.queue.push(new WorkItem(child, this, callback, options.after, this.detailsOf(options)));
    return undefined;
  }

  private detailsOf({ tag, variables, input, existing }: ScheduleOptions): WorkDetails | undefined {
    if (tag === undefined && !variables && !input && !existing) return undefined;
    return { tag, variables: variables && this.workflow.dynamicSlots(variables), input, existing };
  }

  /** Calls a method of this activity; a failure is this activity's fault, not the caller's. @internal */
  call(callback: CompletionCallback, child: ActivityExecutionContext, result: unknown): unknown {
    this.isDirty = true;
    if (this.isRestored) return this.callRestored(callback, child, result);
    try {
      const method = callback.run ?? requireMethod(this, callback.method);
      const answer = method.call(this.activity, this, child, result);
      return isPromiseLike(answer) ? this.track(answer) : this.completeIfIdle();
    } catch (error) {
      return this.workflow.invoker.fault(this, error);
    }
  }

  private callRestored(callback: CompletionCallback, child: ActivityExecutionContext, result: unknown): unknown {
    try {
      const method = callback.run ?? requireMethod(this, callback.method);
      const ready = this.workflow.invoker.restoreInputs(this);
      if (ready) return this.track(ready.then(() => method.call(this.activity, this, child, result)));
    } catch (error) {
      return this.workflow.invoker.fault(this, error);
    }
    return this.call(callback, child, result);
  }

  private track(answer: Promise<unknown>): unknown {
    if (this.workflow.asksAtEnd) void noteBusy(this, answer);
    return this.workflow.track(
      answer.then(() => this.completeIfIdle()).catch((error: unknown) => this.workflow.invoker.fault(this, error)),
    );
  }

  /** A callback that left nothing to wait for would leave the activity Running without end. @internal */
  completeIfIdle(): unknown {
    return this.status === ActivityStatus.Running && !this.isExecuting && !this.isWaiting ? this.complete() : undefined;
  }

  // ----- completion -----

  /**
   * Completes the activity, with its result; `completeWithOutcomes` names the outcomes to follow. What runs below is cancelled: if
   * that is more than a thousand waiting executions, they are loaded in parts before, and until then it is `Running`.
   */
  complete(result?: unknown): unknown {
    if (this.status !== ActivityStatus.Running) return undefined;
    const { workflow, parent } = this;
    const later = workflow.asksAtEnd && staysAtEnd(this, result);
    if (later !== false) return later;
    if (this.activeChildren !== undefined) this.endChildren();
    if (this.node.outputDescriptors.length > 0) this.collectOutputs();
    this.status = ActivityStatus.Completed;
    this.completedAt = parent ? workflow.endOfStep() : workflow.now();
    this.result = result;
    workflow.onCompleted(this);
    const { callback } = this;
    if (!parent || !callback || parent.status !== ActivityStatus.Running) return undefined;
    parent.tag = callback.tag;
    return parent.call(callback, this, result);
  }

  /** Completes the activity with several outcomes. */
  completeWithOutcomes(...names: string[]): unknown {
    return this.complete(new Outcomes(...names));
  }

  /** Copies outputs that the activity set on itself. @internal */
  collectOutputs(): void {
    const { activity } = this;
    for (const { name, propertyName } of this.node.outputDescriptors) {
      if (!Object.hasOwn(activity, propertyName)) continue;
      const value = (activity as unknown as Record<string, unknown>)[propertyName];
      if (value === undefined || (this.outputs && name in this.outputs && this.outputs[name] === value)) continue;
      this.setOutput(name, value);
    }
  }

  /**
   * Cancels this execution and everything below it, with many of them as `complete` does. Its parent is notified, unless `notifyParent`
   * is false.
   */
  cancel(options: { notifyParent?: boolean } = {}): unknown {
    return this.workflow.asksAtEnd ? endWithin(this, () => this.cancelNow(options)) : this.cancelNow(options);
  }

  /** The same without a wait, for what has restored all that it ends. @internal */
  cancelNow(options: { notifyParent?: boolean }): unknown {
    if (this.isFinal) return undefined;
    if (!this.workflow.hasScopes || !staysWhenCancelled(this)) this.end();
    const { parent } = this;
    if (options.notifyParent === false || parent?.status !== ActivityStatus.Running) return undefined;
    return parent.activity.onChildCanceled ? parent.call(CHILD_CANCELED, this, undefined) : parent.completeIfIdle();
  }

  private end(): void {
    this.workflow.queue.dropRunsOf(this);
    this.endChildren();
    this.status = ActivityStatus.Canceled;
    this.completedAt = this.workflow.now();
    this.workflow.onCanceled(this);
  }

  /** Cancels all executions below this one. @returns a promise only if there are more than a thousand that wait, see `complete` */
  cancelChildren(): unknown {
    if (!this.workflow.asksAtEnd) return this.endChildren();
    if (this.queuedWork > 0) this.workflow.queue.dropWorkOf(this);
    return endChildrenWithin(this, () => this.cancelActive());
  }

  private endChildren(): void {
    if (this.queuedWork > 0) this.workflow.queue.dropWorkOf(this);
    this.cancelActive();
  }

  private cancelActive(): void {
    if (!this.activeChildren?.size) return;
    for (const child of this.activeChildren.list()) child.cancelNow({ notifyParent: false });
  }

  // ----- waiting -----

  /**
   * Makes the activity wait: it stays Running until the bookmark is resumed. After the activity has ended, the bookmark is not
   * stored, and a warning (`WM1047`) is logged.
   * @throws InvalidCallbackError (`WM2004`), TextNotStorableError (`WM1103`) for a name or id that is too long
   */
  createBookmark(options: BookmarkOptions = {}): Bookmark {
    const callbackMethodName =
      options.callback === undefined
        ? undefined
        : typeof options.callback === 'string'
          ? requireMethod(this, options.callback) && options.callback
          : methodNameOf(this, options.callback);
    const bookmark = this.workflow.makeBookmark(this, options, callbackMethodName);
    if (!isTooLateForBookmarks(this)) this.workflow.addBookmark(this, bookmark);
    return bookmark;
  }

  /**
   * Returns a URL that resumes the bookmark without credentials, for an e-mail or another system. It works once, after the
   * burst is committed. The body `{ "input": { … } }` of a POST becomes `ctx.input` of the callback.
   * @param lifetime a time span such as `"2 days"`, `"48:00:00"` (hours) or milliseconds; or an end date. @default without end
   * @throws WorkflowExecutionError WM2023 resume URLs are not configured · WM2024 the lifetime is invalid
   */
  resumeUrl(bookmark: Bookmark, lifetime?: TimeSpanInput | Date): string {
    const { engine, id } = this.workflow;
    if (engine.resumeUrl) return engine.resumeUrl(bookmark, id, lifetime);
    throw new WorkflowExecutionError(
      'WM2023',
      'Resume URLs are not configured: import WorkflowApiModule with `publicUrl`, the address at which clients reach it.',
    );
  }

  /** Removes all bookmarks of this execution. */
  removeBookmarks(): void {
    if (!this.hasBookmarks) return;
    for (const id of this.bookmarkIds!) this.workflow.bookmarks.delete(id);
    this.forgetBookmarkId();
  }

  /** Sends a signal to this activity and then to each ancestor, until one stops it. */
  sendSignal(signal: Signal): unknown {
    return this.workflow.invoker.sendSignal(this, signal);
  }

  /** Adds an entry to the workflow execution log. */
  log(eventName: string, message?: string, payload?: Record<string, unknown>): void {
    this.workflow.journal?.log(this, eventName, { message, payload });
  }

  private completionCallback(callback: (...args: never[]) => unknown, tag: unknown): CompletionCallback {
    const last = this.children.lastCallback;
    const known = last?.run === callback ? last : this.resolve(callback);
    return tag === undefined ? known : { method: known.method, run: known.run, tag };
  }

  private resolve(callback: (...args: never[]) => unknown): CompletionCallback {
    const method = methodNameOf(this, callback);
    return (this.children.lastCallback = { method, run: callback as CallbackMethod, tag: undefined });
  }

  /** Writes a `Suspended` line when it ends a turn waiting for a bookmark. @internal */
  logSuspension(): void {
    if (this.status === ActivityStatus.Running && this.hasBookmarks) this.log(JournalEvent.Suspended);
  }
}
