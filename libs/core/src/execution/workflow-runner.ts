import { WorkflowExecutionError } from '../errors/execution-errors.js';
import type { ActivityNode } from '../graph/activity-node.js';
import { isPromiseLike } from '../graph/compile-input.js';
import type { WorkflowGraph } from '../graph/workflow-graph.js';
import type { TypeRegistry } from '../values/type-registry.js';
import { camelCase } from '../values/names.js';
import type { ActivityExecutionContext } from './activity-execution-context.js';
import { ActivityInvoker, recoverFromFault } from './activity-invoker.js';
import { DYNAMIC_STORAGE, dynamicVariable } from './dynamic-variable.js';
import type { EngineOptions } from './engine-options.js';
import { WorkflowExecutionContext } from './workflow-execution-context.js';
import { ScheduleChildSignal } from './signals.js';
import { extractState, restoreState } from './workflow-state-mapper.js';
import type { WorkItem } from './work-item.js';
import { WorkflowSubStatus, type WorkflowState } from './workflow-state.js';

// Other work of the process gets a chance after so much time, or so many turns if the clock stands still.
const MILLIS_BETWEEN_YIELDS = 5;
const TURNS_BETWEEN_YIELDS = 5000;
/** A power of two. */
const TURNS_BETWEEN_CHECKS = 16;
const CHECKPOINT_EVERY = 10_000;

/** Names one activity of an instance; the first member given counts. */
export interface ActivityHandle {
  readonly activityInstanceId?: string;
  readonly activityNodeId?: string;
  readonly activityId?: string;
  /** SHA-256 of the node id. */
  readonly activityHash?: string;
}

/** What to do in one burst. */
export interface BurstRequest {
  readonly graph: WorkflowGraph;
  readonly instanceId: string;
  /** The instance as stored; absent for a new one. */
  readonly state?: WorkflowState;
  readonly correlationId?: string;
  readonly name?: string;
  readonly parentWorkflowInstanceId?: string;
  readonly input?: Readonly<Record<string, unknown>>;
  readonly properties?: Readonly<Record<string, unknown>>;
  /** Dynamic variables of the root, by name: they hide declared ones of the same name. */
  readonly variables?: Readonly<Record<string, unknown>>;
  /** Resume this bookmark. */
  readonly bookmarkId?: string;
  /** Run this activity, again or in addition. */
  readonly activityHandle?: ActivityHandle;
  /** The trigger that starts the workflow; a flowchart starts there. */
  readonly triggerActivityId?: string;
  readonly schedulingActivityExecutionId?: string;
  readonly schedulingWorkflowInstanceId?: string;
  readonly callStackDepth?: number;
  /** How often this very burst was begun; more than 1 after a crash or a redelivery (W9). */
  readonly attempt?: number;
  /** Aborts the activities' signal; it does not cancel the workflow. */
  readonly signal?: AbortSignal;
  /** Objects for this burst only, by token. */
  readonly transient?: Iterable<readonly [unknown, unknown]>;
  /** Called before the first activity, with everything in place. */
  readonly onBegin?: (ctx: WorkflowExecutionContext) => void;
  /** Called between two activities when the journal has grown by this many entries; see `checkpointEvery`. */
  readonly onCheckpoint?: (ctx: WorkflowExecutionContext) => Promise<void>;
  /** @default 10000 */
  readonly checkpointEvery?: number;
  readonly commits?: BurstCommits;
}

/** How far a burst has come, and when it let others work last. */
class Progress {
  turns = 0;
  private yieldedAfter = 0;

  constructor(private yieldedAt: number) {}

  /** Counts a turn. @returns whether it is time for others */
  next(wec: WorkflowExecutionContext): boolean {
    return (++this.turns & (TURNS_BETWEEN_CHECKS - 1)) === 0 && this.isYieldDue(wec.time);
  }

  private isYieldDue(now: number): boolean {
    const millis = now - this.yieldedAt;
    // A clock may be set back.
    const isDue = millis >= MILLIS_BETWEEN_YIELDS || millis < 0 || this.turns - this.yieldedAfter >= TURNS_BETWEEN_YIELDS;
    if (isDue) {
      this.yieldedAfter = this.turns;
      this.yieldedAt = now;
    }
    return isDue;
  }
}

type LoopRequest = Pick<BurstRequest, 'onCheckpoint' | 'checkpointEvery' | 'attempt' | 'bookmarkId' | 'commits'>;

/** Chances to commit a burst half-way, given by the host. Each is taken by returning a promise. */
export interface BurstCommits {
  /** A new instance, or one whose burst was cut off, is about to run. Not called for a resume, which can be repeated. */
  begin(wec: WorkflowExecutionContext): Promise<void> | undefined;
  /** An activity is about to execute. Not called for a resume of it. */
  executing(ctx: ActivityExecutionContext): Promise<void> | undefined;
  /** It has, and more is to be done in this burst. */
  executed(ctx: ActivityExecutionContext): Promise<void> | undefined;
}

/** Runs bursts: load state → work items until none is left → the state to be stored. Stores nothing itself. */
export class WorkflowRunner {
  readonly invoker: ActivityInvoker;

  constructor(
    readonly engine: EngineOptions,
    readonly types: TypeRegistry,
  ) {
    this.invoker = new ActivityInvoker(engine);
  }

  /** A new instance that has not run: sub-status Pending. */
  create(request: BurstRequest): WorkflowExecutionContext {
    const wec = new WorkflowExecutionContext(
      request.instanceId,
      request.graph,
      this.engine,
      this.invoker,
      request.signal,
    );
    if (request.state) restoreState(wec, request.state, this.types);
    this.applyRequest(wec, request);
    return wec;
  }

  /** The state to store for that context. */
  extract(wec: WorkflowExecutionContext): WorkflowState {
    return extractState(wec);
  }

  /**
   * Runs one burst.
   * @throws WorkflowExecutionError WM2020 the instance has ended · WM2021 the bookmark is not (any more) part of it ·
   *   WM2022 an activity handle that names nothing
   */
  async run(request: BurstRequest): Promise<WorkflowExecutionContext> {
    const wec = this.create(request);
    if (!wec.isRunning)
      throw new WorkflowExecutionError(
        'WM2020',
        `Workflow instance '${wec.id}' has ended (${wec.subStatus}) and cannot be run.`,
      );
    const scheduled = this.scheduleFirst(wec, request);
    if (isPromiseLike(scheduled)) await scheduled;
    request.onBegin?.(wec);
    await this.drain(wec, request);
    return wec;
  }

  /** Runs what is queued, through the workflow middleware. */
  async drain(wec: WorkflowExecutionContext, request: LoopRequest = {}): Promise<void> {
    // Most bursts wait for nothing: those cost no promise.
    const running = this.engine.workflowMiddleware?.length
      ? this.runMiddleware(wec, request, 0)
      : this.loop(wec, request);
    if (running) await running;
    wec.settle();
    if (wec.journal) for (const ctx of wec.contexts.values()) if (ctx.isDirty) wec.journal.record(ctx);
  }

  /** Asynchronous in any case: what a burst throws comes to a middleware as a rejection of what it called. */
  private async runMiddleware(wec: WorkflowExecutionContext, request: LoopRequest, index: number): Promise<void> {
    const middleware = this.engine.workflowMiddleware![index];
    return middleware ? middleware(wec, () => this.runMiddleware(wec, request, index + 1)) : this.loop(wec, request);
  }

  private applyRequest(wec: WorkflowExecutionContext, request: BurstRequest): void {
    wec.correlationId = request.correlationId ?? wec.correlationId;
    wec.name = request.name ?? wec.name;
    wec.parentWorkflowInstanceId = request.parentWorkflowInstanceId ?? wec.parentWorkflowInstanceId;
    wec.triggerActivityId = request.triggerActivityId;
    if (request.input) wec.input = { ...wec.input, ...request.input };
    if (request.properties) wec.properties = { ...request.properties, ...wec.properties };
    for (const [key, value] of request.transient ?? []) wec.transient.set(key, value);
  }

  private scheduleFirst(wec: WorkflowExecutionContext, request: BurstRequest): unknown {
    if (request.bookmarkId !== undefined) return this.scheduleBookmark(wec, request.bookmarkId);
    if (request.activityHandle) return this.scheduleHandle(wec, request.activityHandle, request);
    this.scheduleInterrupted(wec);
    if (wec.queue.size > 0 || wec.rootContext) return undefined;
    wec.queue.add({
      node: wec.graph.root,
      variables: request.variables && rootVariables(request.variables),
      schedulingActivityExecutionId: request.schedulingActivityExecutionId,
      schedulingWorkflowInstanceId: request.schedulingWorkflowInstanceId,
      callStackDepth: request.callStackDepth,
    });
    return undefined;
  }

  /** Activities that were begun when their process died come before what was still queued. */
  private scheduleInterrupted(wec: WorkflowExecutionContext): void {
    const interrupted = wec.contexts.values().filter((c) => c.isExecuting);
    if (interrupted.length === 0) return;
    const queued = wec.queue.list();
    wec.queue.clear();
    for (const ctx of interrupted) {
      ctx.attempt++;
      wec.queue.add({ node: ctx.node, owner: ctx.parent, existing: ctx });
    }
    for (const item of queued) wec.queue.push(item);
  }

  private scheduleBookmark(wec: WorkflowExecutionContext, bookmarkId: string): void {
    const bookmark = wec.bookmarks.get(bookmarkId);
    const ctx = bookmark && wec.contexts.get(bookmark.activityInstanceId);
    if (!bookmark || !ctx)
      throw new WorkflowExecutionError(
        'WM2021',
        `Workflow instance '${wec.id}' does not wait at bookmark '${bookmarkId}' (any more).`,
      );
    wec.queue.add({ node: ctx.node, existing: ctx, bookmark });
  }

  /** In a new instance the activity runs by itself, as its only execution; in a running one, within its container. */
  private scheduleHandle(wec: WorkflowExecutionContext, handle: ActivityHandle, request: BurstRequest): unknown {
    if (handle.activityInstanceId !== undefined) {
      const ctx = wec.contexts.get(handle.activityInstanceId);
      if (!ctx)
        throw new WorkflowExecutionError(
          'WM2022',
          `Workflow instance '${wec.id}' has no running activity execution '${handle.activityInstanceId}'.`,
        );
      recoverFromFault(ctx);
      ctx.attempt++;
      wec.queue.add({ node: ctx.node, existing: ctx });
      return undefined;
    }
    const node = this.findNode(wec, handle);
    const container = wec.contexts.values().find((c) => c.node === node.parent);
    if (container) return this.scheduleWithin(container, node);
    wec.queue.add({
      node,
      owner: wec.rootContext,
      variables: wec.rootContext ? undefined : request.variables && rootVariables(request.variables),
    });
    return undefined;
  }

  /** The container knows what has to follow its child. One that does not say so is told as it is of the child it has. */
  private scheduleWithin(owner: ActivityExecutionContext, node: ActivityNode): unknown {
    const queue = (taken: unknown): void => {
      if (taken === true) return;
      const same = owner.activeChildren?.list().find((child) => child.node === node);
      owner.workflow.queue.add({ node, owner, callback: same?.callback, tag: same?.tag });
    };
    const taken = owner.sendSignal(new ScheduleChildSignal(node.id));
    return isPromiseLike(taken) ? taken.then(queue) : queue(taken);
  }

  private findNode(wec: WorkflowExecutionContext, handle: ActivityHandle): ActivityNode {
    const { graph } = wec;
    const node =
      (handle.activityNodeId !== undefined && graph.findByNodeId(handle.activityNodeId)) ||
      (handle.activityId !== undefined && graph.findById(handle.activityId)[0]) ||
      (handle.activityHash !== undefined &&
        graph.nodes.find((n) => this.engine.hash(n.nodeId) === handle.activityHash));
    if (!node)
      throw new WorkflowExecutionError(
        'WM2022',
        `Workflow definition '${graph.definition.definitionId}' has no activity that matches ${JSON.stringify(handle)}.`,
      );
    return node;
  }

  /** @returns undefined when the burst is over already */
  private loop(wec: WorkflowExecutionContext, request: LoopRequest): Promise<void> | undefined {
    wec.subStatus = WorkflowSubStatus.Executing;
    const progress = new Progress(wec.now());
    if (request.commits) return this.runOffering(wec, request, request.commits, progress);
    const pause = this.runItems(wec, request, progress);
    return pause && this.goOn(wec, request, progress, pause);
  }

  private async goOn(
    wec: WorkflowExecutionContext,
    request: LoopRequest,
    progress: Progress,
    begun: Promise<void>,
  ): Promise<void> {
    for (let pause: Promise<void> | undefined = begun; pause; pause = this.runItems(wec, request, progress))
      await pause;
  }

  /**
   * Runs items for as long as nothing has to be waited for. Synchronous, and what is rare is left to others: this is the
   * loop around every step, and what the compiler makes of it is a good part of what a step costs.
   * @returns what to wait for before going on; undefined at the end of the burst
   */
  private runItems(wec: WorkflowExecutionContext, request: LoopRequest, progress: Progress): Promise<void> | undefined {
    for (let item = nextItem(wec); item; item = nextItem(wec)) {
      const ctx = item.existing ?? this.open(wec, item, request.attempt);
      const done = this.invoker.invoke(ctx, item);
      const isPauseDue = progress.next(wec);
      if (isPauseDue || wec.isTracking || isPromiseLike(done) || isCheckpointDue(wec, request))
        return this.settle(wec, request, done, isPauseDue);
    }
    return undefined;
  }

  /** The same with chances to commit around each item. */
  private async runOffering(
    wec: WorkflowExecutionContext,
    request: LoopRequest,
    commits: BurstCommits,
    progress: Progress,
  ): Promise<void> {
    if (request.bookmarkId === undefined) await commits.begin(wec);
    wec.now();
    for (let item = nextItem(wec); item; item = nextItem(wec)) {
      const ctx = item.existing ?? this.open(wec, item, request.attempt);
      if (!item.bookmark) await this.offerCommit(ctx, commits);
      await this.settle(wec, request, this.invoker.invoke(ctx, item), progress.next(wec));
      if (wec.isRunning && wec.queue.size > 0) {
        await commits.executed(ctx);
        wec.now();
      }
    }
  }

  /** Waits for an item and for all that it has begun. */
  private async settle(
    wec: WorkflowExecutionContext,
    request: LoopRequest,
    done: unknown,
    isPauseDue: boolean,
  ): Promise<void> {
    await done;
    for (let tracked = wec.takeTracked(); tracked; tracked = wec.takeTracked()) await Promise.all(tracked);
    if (isPauseDue) await this.engine.yield?.();
    wec.now();
    if (!isCheckpointDue(wec, request)) return;
    await request.onCheckpoint!(wec);
    wec.now();
  }

  /** What is stored must show it as begun, or a takeover would not know of it: it has left the queue. */
  private async offerCommit(ctx: ActivityExecutionContext, commits: BurstCommits): Promise<void> {
    ctx.isExecuting = true;
    await commits.executing(ctx);
    ctx.workflow.now();
  }

  private open(
    wec: WorkflowExecutionContext,
    { node, owner, callback, after, details }: WorkItem,
    attempt = 1,
  ): ActivityExecutionContext {
    const ctx = wec.createContext(node, owner);
    ctx.callback = callback;
    if (attempt !== 1) ctx.attempt = attempt;
    if (details) {
      const { tag, input, callStackDepth, variables } = details;
      ctx.tag = tag;
      ctx.activityInput = input;
      if (callStackDepth !== undefined) ctx.callStackDepth = callStackDepth;
      if (variables) ctx.slots = ctx.slots ? [...variables, ...ctx.slots] : [...variables];
    }
    if (!owner) ctx.scheduledBy = details;
    else if (after) ctx.follow(after);
    return ctx;
  }
}

function nextItem(wec: WorkflowExecutionContext): WorkItem | undefined {
  return wec.isRunning ? wec.queue.take() : undefined;
}

function isCheckpointDue(wec: WorkflowExecutionContext, { onCheckpoint, checkpointEvery }: LoopRequest): boolean {
  if (!onCheckpoint || !wec.journal || wec.journal.size < (checkpointEvery ?? CHECKPOINT_EVERY)) return false;
  return wec.isRunning && wec.queue.size > 0;
}

function rootVariables(values: Readonly<Record<string, unknown>>) {
  return Object.entries(values).map(([name, value]) => ({
    variable: dynamicVariable(name, `${camelCase(name)}Variable`, DYNAMIC_STORAGE),
    value,
    dynamic: true,
  }));
}
