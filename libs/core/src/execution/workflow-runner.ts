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
import { extractState, restoreState } from './workflow-state-mapper.js';
import { WorkflowSubStatus, type WorkflowState } from './workflow-state.js';

/** Turns between two chances for other work of the process. */
const TURNS_BETWEEN_YIELDS = 500;

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
    this.scheduleFirst(wec, request);
    request.onBegin?.(wec);
    await this.drain(wec, request);
    return wec;
  }

  /** Runs what is queued, through the workflow middleware. */
  async drain(
    wec: WorkflowExecutionContext,
    request: Pick<BurstRequest, 'onCheckpoint' | 'checkpointEvery' | 'attempt'> = {},
  ): Promise<void> {
    const { workflowMiddleware = [] } = this.engine;
    const run = (index: number): Promise<void> => {
      const middleware = workflowMiddleware[index];
      return middleware ? middleware(wec, () => run(index + 1)) : this.loop(wec, request);
    };
    await run(0);
    wec.settle();
    if (wec.journal) for (const ctx of wec.contexts.values()) if (ctx.isDirty) wec.journal.record(ctx);
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

  private scheduleFirst(wec: WorkflowExecutionContext, request: BurstRequest): void {
    if (request.bookmarkId !== undefined) return this.scheduleBookmark(wec, request.bookmarkId);
    if (request.activityHandle) return this.scheduleHandle(wec, request.activityHandle, request);
    if (wec.queue.size > 0) return;
    const interrupted = [...wec.contexts.values()].filter((c) => c.isExecuting);
    for (const ctx of interrupted) {
      ctx.attempt++;
      wec.queue.add({ node: ctx.node, owner: ctx.parent, existing: ctx });
    }
    if (interrupted.length || wec.rootContext) return;
    wec.queue.add({
      node: wec.graph.root,
      variables: request.variables && rootVariables(request.variables),
      schedulingActivityExecutionId: request.schedulingActivityExecutionId,
      schedulingWorkflowInstanceId: request.schedulingWorkflowInstanceId,
      callStackDepth: request.callStackDepth,
    });
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
  private scheduleHandle(wec: WorkflowExecutionContext, handle: ActivityHandle, request: BurstRequest): void {
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
      return;
    }
    const node = this.findNode(wec, handle);
    const owner = [...wec.contexts.values()].find((c) => c.node === node.parent) ?? wec.rootContext;
    const variables = owner ? undefined : request.variables && rootVariables(request.variables);
    wec.queue.add({
      node,
      owner,
      variables,
      schedulingActivityExecutionId: owner?.id,
      callStackDepth: (owner?.callStackDepth ?? -1) + 1,
    });
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

  private async loop(
    wec: WorkflowExecutionContext,
    request: Pick<BurstRequest, 'onCheckpoint' | 'checkpointEvery' | 'attempt'>,
  ): Promise<void> {
    wec.subStatus = WorkflowSubStatus.Executing;
    const limit = request.checkpointEvery ?? 10_000;
    let turns = 0;
    for (let item = wec.queue.take(); item; item = wec.isRunning ? wec.queue.take() : undefined) {
      const ctx = item.existing ?? this.open(wec, item, request.attempt);
      const done = this.invoker.invoke(ctx, item);
      if (isPromiseLike(done)) await done;
      for (let tracked = wec.takeTracked(); tracked; tracked = wec.takeTracked()) await Promise.all(tracked);
      if (++turns % TURNS_BETWEEN_YIELDS === 0 && this.engine.yield) await this.engine.yield();
      if (request.onCheckpoint && wec.journal && wec.journal.size >= limit && wec.isRunning && wec.queue.size > 0)
        await request.onCheckpoint(wec);
    }
  }

  private open(
    wec: WorkflowExecutionContext,
    item: Parameters<ActivityInvoker['invoke']>[1],
    attempt = 1,
  ): ActivityExecutionContext {
    const ctx = wec.createContext(item.node, item.owner);
    ctx.callback = item.callback;
    ctx.tag = item.tag;
    ctx.attempt = attempt;
    ctx.activityInput = item.input;
    ctx.schedulingActivityExecutionId = item.schedulingActivityExecutionId;
    ctx.schedulingActivityId = item.schedulingActivityId;
    ctx.schedulingWorkflowInstanceId = item.schedulingWorkflowInstanceId;
    ctx.callStackDepth = item.callStackDepth ?? 0;
    if (item.variables) ctx.slots = ctx.slots ? [...item.variables, ...ctx.slots] : [...item.variables];
    return ctx;
  }
}

function rootVariables(values: Readonly<Record<string, unknown>>) {
  return Object.entries(values).map(([name, value]) => ({
    variable: dynamicVariable(name, `${camelCase(name)}Variable`, DYNAMIC_STORAGE),
    value,
    dynamic: true,
  }));
}
