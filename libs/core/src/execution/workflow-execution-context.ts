import type { WorkflowFacts } from '../expressions/expression-scope.js';
import type { ActivityNode } from '../graph/activity-node.js';
import type { WorkflowGraph } from '../graph/workflow-graph.js';
import { JournalEvent } from '../journal/journal-entry.js';
import { JournalWriter } from './journal-writer.js';
import { SecretKeeper } from '../secrets/secret-keeper.js';
import { StateVault } from '../secrets/state-vault.js';
import { prop, setMember } from '../values/plain-object.js';
import { MAX_ID_LENGTH, requireStorableText } from '../values/storable-text.js';
import type { ActivityInvoker } from './activity-invoker.js';
import { ActivityExecutionContext } from './activity-execution-context.js';
import { assign, ActivityScope } from './activity-scope.js';
import type { BookmarkOptions } from './bookmark-options.js';
import { BurstState } from './burst-state.js';
import { callOnCanceled } from './cancel-hook.js';
import type { EndOptions } from './end-options.js';
import type { EngineOptions } from './engine-options.js';
import { finishScopes, isBeingLeft, leaveInstance } from './leave-instance.js';
import type { OutgoingMessage } from './outgoing-message.js';
import { endAll } from './restore-within.js';
import { bookmarkHash } from './stimulus-hash.js';
import type { VariableSlot } from '../graph/variable.js';
import { newSlots } from '../graph/variable-slots.js';
import { dynamicIdIn, dynamicVariable } from './dynamic-variable.js';
import { persistedInput } from './extract-parts.js';
import { ActivityStatus, type Bookmark, WorkflowStatus, WorkflowSubStatus } from '../state/workflow-state.js';

const RADIX = 36;
/** Contexts of a stored state are numbered from here on, before all that are made now. */
export const FIRST_RESTORED = -(2 ** 30);
/** Without a journal the clock is read this seldom as long as nothing is awaited. */
const STEPS_PER_CLOCK = 16;
const DIGITS = Array.from({ length: RADIX }, (_, digit) => digit.toString(RADIX));

/** A running instance in memory: the state of one burst. */
export class WorkflowExecutionContext extends BurstState {
  /** Where the journal is written; undefined: there is none. @internal */
  readonly journal: JournalWriter | undefined;
  /** Keeps secrets out of journals, logs and stored states. Activities that receive or send credentials note them here. */
  readonly secrets: SecretKeeper;
  /** What is encrypted of the state. @internal */
  readonly vault: StateVault;
  /** Ids and names of the workflow and the instance. */
  readonly facts: WorkflowFacts;
  /** Work that an activity started without awaiting it; the burst does. */
  private tracked: Promise<unknown>[] = [];
  private readonly deferredTasks: (() => unknown)[] = [];
  private controller: AbortController | undefined;
  private latestTime = 0;
  /** If true, something since the last look at the clock may have taken long. @internal */
  hasTakenTime = false;
  /** Steps that ended since. */
  private stepsSinceClock = 0;
  /** Ids share all digits but the last, and this is the beginning of those made now. */
  private idPrefix = '';
  private idGroup = -1;
  private adopted = 0;

  /** @internal */
  constructor(
    /** Id of the instance. */
    readonly id: string,
    /** The compiled definition. */
    readonly graph: WorkflowGraph,
    /** Options of the engine. @internal */
    readonly engine: EngineOptions,
    /** Runs activities. @internal */
    readonly invoker: ActivityInvoker,
    externalSignal?: AbortSignal,
  ) {
    super();
    const { definition } = graph;
    this.facts = {
      workflowInstanceId: id,
      workflowDefinitionId: definition.definitionId,
      workflowDefinitionVersionId: definition.id,
      workflowDefinitionVersion: definition.version,
    };
    this.createdAt = this.updatedAt = this.now();
    this.secrets = new SecretKeeper(engine.redaction, this.transient);
    this.vault = new StateVault(engine.cipher, id, this.secrets);
    if (engine.journal !== false) this.journal = new JournalWriter(() => this.now(), this.secrets);
    if (externalSignal) this.followSignal(externalSignal);
  }

  /** Business key of the instance. */
  get correlationId(): string | undefined {
    return this.ownCorrelationId;
  }
  /** @throws TextNotStorableError (`WM1103`) here, where it faults an activity: the commit would lose the whole burst */
  set correlationId(value: string | undefined) {
    requireStorableText('correlation id', value);
    this.ownCorrelationId = value;
  }

  /** Name of the instance. */
  get name(): string | undefined {
    return this.ownName;
  }
  /** @throws TextNotStorableError (`WM1103`) */
  set name(value: string | undefined) {
    requireStorableText('name of the workflow instance', value);
    this.ownName = value;
  }

  /** The time of the host, in milliseconds since 1970. */
  now(): number {
    this.stepsSinceClock = 0;
    return (this.latestTime = this.engine.clock.now());
  }

  /**
   * When a step ends, which is when the next one begins. The journal shows it of every step; without one it is kept only
   * of what outlives the burst, and most steps take the time of one before them: reading the clock is a tenth of a step.
   * @internal
   */
  endOfStep(): number {
    if (this.journal || ++this.stepsSinceClock >= STEPS_PER_CLOCK) return this.now();
    return this.latestTime;
  }

  /** When the clock was read last. @internal */
  get time(): number {
    return this.latestTime;
  }

  /** Time passes while the burst waits or a script runs: the next step that ends reads the clock. @internal */
  expectTimeToPass(): void {
    this.hasTakenTime = true;
    this.stepsSinceClock = STEPS_PER_CLOCK;
  }

  /** The id of the activity execution with that number. @internal */
  idOf(number: number): string {
    const group = Math.floor(number / RADIX);
    if (group !== this.idGroup) {
      this.idGroup = group;
      this.idPrefix = `${this.id}-${group === 0 ? '' : group.toString(RADIX)}`;
    }
    return this.idPrefix + DIGITS[number % RADIX]!;
  }

  /** Aborted when the burst is to end. */
  get signal(): AbortSignal {
    return (this.controller ??= new AbortController()).signal;
  }

  /** Throws the reason when the burst is to end. Does not create the signal: every expression calls this. */
  throwIfAborted(): void {
    this.controller?.signal.throwIfAborted();
  }

  /** True while it may run activities. */
  get isRunning(): boolean {
    return this.status === WorkflowStatus.Running;
  }

  // ----- contexts -----

  /**
   * An execution that begins now: when the step before it ended. Reading the clock for both would cost more than all else
   * that is done here. @internal
   */
  createContext(node: ActivityNode, parent: ActivityExecutionContext | undefined): ActivityExecutionContext {
    const ctx = new ActivityExecutionContext(++this.activityExecutionCount, undefined, node, this, parent, this.time);
    if (node.variables.length) ctx.slots = newSlots(node.variables);
    if (!parent) this.rootContext ??= ctx;
    this.contexts.add(ctx);
    return ctx;
  }

  /**
   * Takes in a context of a stored state under its own id.
   * @param index its place in the state, counted from the root. @default after those that were taken in before @internal
   */
  adoptContext(
    id: string,
    node: ActivityNode,
    parent: ActivityExecutionContext | undefined,
    startedAt: number,
    index?: number,
  ): ActivityExecutionContext {
    const number = FIRST_RESTORED + (index ?? this.adopted++);
    const ctx = new ActivityExecutionContext(number, id, node, this, parent, startedAt);
    ctx.isRestored = true;
    if (!parent) this.rootContext ??= ctx;
    if (index === undefined) this.contexts.add(ctx);
    else this.contexts.adopt(ctx);
    return ctx;
  }

  /** Leaves only the reference to a context that is final already (the root of a finished instance). @internal */
  retireContext(ctx: ActivityExecutionContext): void {
    this.contexts.delete(ctx);
  }

  /** Called when an execution has completed. @internal */
  onCompleted(ctx: ActivityExecutionContext): void {
    this.release(ctx);
    if (ctx.outputs !== undefined) this.keepOutputs(ctx, ctx.outputs);
    if (this.journal) {
      this.journal.log(ctx, JournalEvent.Completed, undefined, ctx.completedAt);
      this.journal.record(ctx);
    }
    if (ctx.parent) ctx.slots = undefined;
  }

  private keepOutputs({ node, parent }: ActivityExecutionContext, outputs: Record<string, unknown>): void {
    if ('Result' in outputs) this.lastResult = outputs.Result;
    if (parent) (parent.children.outputs ??= new Map()).set(node.id, outputs);
  }

  /** Called when an execution was cancelled. @internal */
  onCanceled(ctx: ActivityExecutionContext): void {
    this.release(ctx);
    this.journal?.log(ctx, JournalEvent.Canceled, undefined, ctx.completedAt);
    this.journal?.record(ctx);
    callOnCanceled(ctx);
  }

  private release(ctx: ActivityExecutionContext): void {
    if (ctx.hasBookmarks) ctx.removeBookmarks();
    ctx.isExecuting = false;
    this.contexts.delete(ctx);
  }

  // ----- variables, inputs, outputs -----

  /** Returns the workflow input with that name, ignoring case, or `null` if it is missing. */
  getInput(name: string): unknown {
    return prop(this.input, name) ?? null;
  }

  /** Slots of variables that are declared while the instance runs. @internal */
  dynamicSlots(values: Readonly<Record<string, unknown>>): VariableSlot[] {
    return Object.entries(values).map(([name, value]) => ({ variable: dynamicVariable(name), value, dynamic: true }));
  }

  /** Declares a variable for one execution while the instance runs. @param storage null: it is not stored @internal */
  declareDynamic(ctx: ActivityExecutionContext, name: string, value: unknown, storage?: string | null): void {
    (ctx.slots ??= []).unshift({
      variable: dynamicVariable(name, dynamicIdIn(ctx, name), storage),
      value,
      dynamic: true,
    });
  }

  /**
   * Gives a value to the variable with that id in scope, or else to the workflow output of that name.
   * @returns true where it is stored encrypted @internal
   */
  assignOutput(ctx: ActivityExecutionContext, targetId: string, value: unknown): boolean {
    // A workflow used as an activity has variables named like its outputs; the binding means those around it.
    const scope = (ctx.node.nestedWorkflow && ctx.parent ? ctx.parent : ctx).expressionScope as ActivityScope;
    const slot = scope.findById(targetId);
    if (slot) {
      assign(slot, value, this.secrets);
      return slot.variable.isEncrypted;
    }
    for (let c = ctx.parent; c; c = c.parent) {
      const definition = c.node.nestedWorkflow?.outputs.find((o) => o.name === targetId);
      if (!definition) continue;
      if (c.parent) c.setOutput(targetId, value);
      else setMember(this.output, targetId, value);
      break;
    }
    return false;
  }

  /** Sets an output of the workflow. */
  setWorkflowOutput(name: string, value: unknown): void {
    setMember(this.output, name, value);
  }

  // ----- bookmarks -----

  /** Lets an execution wait. @internal */
  makeBookmark(
    ctx: ActivityExecutionContext,
    options: BookmarkOptions,
    callbackMethodName: string | undefined,
  ): Bookmark {
    requireStorableText('bookmark name', options.name);
    requireStorableText('bookmark id', options.id, MAX_ID_LENGTH);
    const name = options.name ?? ctx.node.type;
    const hashed = options.hashInput === undefined ? options.stimulus : options.hashInput;
    const bookmark: Bookmark = {
      id: options.id ?? this.engine.newId(),
      name,
      hash: bookmarkHash(this.engine.hash, name, hashed, options.includeActivityInstanceId ? ctx.id : undefined),
      activityId: ctx.node.id,
      activityNodeId: ctx.node.nodeId,
      activityInstanceId: ctx.id,
      createdAt: new Date(this.now()),
      autoBurn: options.autoBurn ?? true,
      autoComplete: options.autoComplete ?? true,
    };
    // What is not there is not stored either: a member without a value takes more room than most values.
    if (options.stimulus !== undefined) bookmark.payload = options.stimulus;
    if (callbackMethodName !== undefined) bookmark.callbackMethodName = callbackMethodName;
    if (options.metadata !== undefined) bookmark.metadata = options.metadata;
    if (options.dueAt !== undefined) bookmark.dueAt = options.dueAt;
    if (options.id !== undefined) bookmark.isIdChosen = true;
    return bookmark;
  }

  /** @internal */
  addBookmark(ctx: ActivityExecutionContext, bookmark: Bookmark): void {
    this.bookmarks.set(bookmark.id, bookmark);
    ctx.addBookmarkId(bookmark.id);
  }

  /** Uses a bookmark up. @internal */
  consume(bookmark: Bookmark): void {
    this.consumedBookmarkIds.push(bookmark.id);
    if (!bookmark.autoBurn) return;
    this.bookmarks.delete(bookmark.id);
    this.contexts.get(bookmark.activityInstanceId)?.forgetBookmarkId(bookmark.id);
  }

  // ----- the instance as a whole -----

  /**
   * Ends the instance as faulted: nothing is executed any more. For incident strategies; an activity that fails throws an error
   * instead. What was scheduled is stored, so that a repaired instance continues with all of its branches. If completed steps have
   * to be undone, that is done first, and no branch is left.
   */
  fault({ isAbandoned = false }: EndOptions = {}): void {
    if (this.hasScopes && !isAbandoned && leaveInstance(this, WorkflowSubStatus.Faulted)) return;
    this.finish(WorkflowSubStatus.Faulted);
  }

  /**
   * Ends the instance as finished, as `Finish` does: other branches are cancelled, and the containers around the activity complete
   * without continuing. For incident strategies and activities. @param by the execution that ends the instance
   */
  finishNow(by: ActivityExecutionContext): unknown {
    return endAll(this, () => this.isRunning && this.finishAround(by));
  }

  private finishAround(by: ActivityExecutionContext): void {
    const around: ActivityExecutionContext[] = [];
    for (let c = by.parent; c; c = c.parent) around.push(c);
    if (this.hasScopes && finishScopes(this, by, around)) return;
    this.queue.clear();
    this.cancelAll(new Set(around));
    for (const ctx of around) {
      ctx.callback = undefined;
      ctx.complete();
    }
    this.finish(WorkflowSubStatus.Finished);
  }

  /**
   * Cancels every activity and then the instance. If steps have to be undone, they are queued, and the instance is cancelled
   * when that is done.
   * @returns a promise only where thousands of executions that wait are loaded before, part by part; until then it is running
   */
  cancel(options: EndOptions = {}): unknown {
    const cancel = (): void => this.cancelNow(options);
    return this.isRunning && !this.isBeingTaken ? endAll(this, cancel) : cancel();
  }

  private cancelNow(options: EndOptions): void {
    // A second cancellation does not abort what undoes.
    if (!this.isRunning || (!options.isAbandoned && this.isBeingUndone)) return;
    if (this.isBeingTaken) {
      // What listens to the signal is not part of the state, and the commit may wait for it: a deferred task, for example.
      this.controller?.abort();
      this.missedCancel = options.isAbandoned ? options : (this.missedCancel ?? options);
      return;
    }
    this.controller?.abort();
    // What is undone is not aborted.
    this.controller = undefined;
    if (this.hasScopes && !options.isAbandoned && leaveInstance(this, WorkflowSubStatus.Cancelled)) return;
    this.endAsCancelled();
  }

  /** True while an instance that was cancelled or has faulted undoes its steps, unless that has faulted too. @internal */
  get isBeingUndone(): boolean {
    return this.hasScopes && isBeingLeft(this) && this.faultedContexts().length === 0;
  }

  /** Ends the instance, in which nothing is left to be undone. @internal */
  endAs(subStatus: 'Faulted' | 'Cancelled'): void {
    if (subStatus === WorkflowSubStatus.Cancelled) this.endAsCancelled();
    else this.finish(subStatus);
  }

  private endAsCancelled(): void {
    this.isAbandoned = true;
    this.queue.clear();
    const { rootContext } = this;
    this.cancelAll();
    if (rootContext) this.journal?.log(rootContext, JournalEvent.WorkflowCancelled);
    this.finish(WorkflowSubStatus.Cancelled);
  }

  private cancelAll(except?: ReadonlySet<ActivityExecutionContext>): void {
    for (const ctx of this.contexts.values().reverse()) if (!except?.has(ctx)) ctx.cancelNow({ notifyParent: false });
    this.bookmarks.clear();
  }

  private finish(subStatus: WorkflowSubStatus): void {
    this.status = WorkflowStatus.Finished;
    this.subStatus = subStatus;
    this.finishedAt = this.updatedAt = this.now();
  }

  /** Called when the queue has drained. @internal */
  settle(): void {
    this.updatedAt = this.now();
    if (!this.isRunning) return;
    if (this.contexts.size === 0) this.finish(WorkflowSubStatus.Finished);
    else this.subStatus = WorkflowSubStatus.Suspended;
  }

  /** Sets a faulted instance back to running, to repair it. @internal */
  reopen(): void {
    this.status = WorkflowStatus.Running;
    this.subStatus = WorkflowSubStatus.Suspended;
    this.finishedAt = undefined;
  }

  // ----- effects and waiting -----

  /** Sends a message to the runtime. It is stored with the commit of this burst and served afterwards. */
  send(message: OutgoingMessage): void {
    this.outgoing.push(message);
    this.journal?.weighMessage(message.payload);
  }

  /** Messages to be stored with this commit. They are handed out once. @internal */
  takeOutgoing(): OutgoingMessage[] {
    return this.secrets.stored(this.outgoing.splice(0));
  }

  /**
   * Runs a function after the burst is committed. It is lost if the process dies before; use it only for work that `send`
   * cannot express.
   */
  defer(task: () => unknown): void {
    this.deferredTasks.push(task);
  }

  /** What was deferred until after the commit. It is handed out once. @internal */
  takeDeferred(): (() => unknown)[] {
    return this.deferredTasks.splice(0);
  }

  /** Makes the burst wait for a promise before it ends. @internal */
  track(promise: Promise<unknown>): Promise<unknown> {
    this.expectTimeToPass();
    this.tracked.push(promise);
    return promise;
  }

  /** True while the burst has promises to wait for. @internal */
  get isTracking(): boolean {
    return this.tracked.length > 0;
  }

  /** The promises to wait for. They are handed out once. @internal */
  takeTracked(): Promise<unknown>[] | undefined {
    if (this.tracked.length === 0) return undefined;
    const all = this.tracked;
    this.tracked = [];
    return all;
  }

  /**
   * Prepares for a further resume in the same burst: everything that belonged to the previous resume is discarded, as if a
   * burst had ended, including its abort signal. @internal
   */
  forgetRequest(external: AbortSignal | undefined): void {
    this.input = persistedInput(this);
    const { known } = this.secrets;
    this.transient.clear();
    // Values of the step before are in variables still, and its journal has yet to be taken.
    this.secrets.add(known);
    this.controller = undefined;
    if (external) this.followSignal(external);
  }

  private followSignal(external: AbortSignal): void {
    const abort = (): void => (this.controller ??= new AbortController()).abort(external.reason);
    if (external.aborted) abort();
    else external.addEventListener('abort', abort, { once: true });
  }

  /** Executions that are faulted now. @internal */
  faultedContexts(): ActivityExecutionContext[] {
    // What is at rest is not faulted.
    return this.contexts.awake().filter((c) => c.status === ActivityStatus.Faulted);
  }
}
