import { Activity, Children, Port } from '../activities/decorators.js';
import { scheduleRequestedChild } from '../control-flow/requested-child.js';
import { ActivityBase } from '../execution/activity-base.js';
import type { ActivityExecutionContext } from '../execution/activity-execution-context.js';
import type { ActivityMigration } from '../execution/activity-migration.js';
import { afterRestoring } from '../execution/restore-within.js';
import type { Signal, SignalContext } from '../execution/signals.js';
import type { ActivityNode } from '../graph/activity-node.js';
import { DEFAULT_OUTCOMES } from '../state/outcomes.js';
import { isPromiseLike } from '../values/promise-like.js';
import { CounterFlow, type ScheduleChild } from './counter-flow.js';
import { bindConnections, readConnections, type ConnectionJson, type FlowConnection } from './flow-connection.js';
import { FlowGraph } from './flow-graph.js';
import { type FlowRest, followOrNote, takeRest } from './flow-rest.js';
import { FlowScope } from './flow-scope.js';
import { FlowTokens } from './flow-token.js';
import { flowchartMode } from './flowchart-mode.js';
import { findStart } from './start-activity.js';
import { FlowMigration } from './flow-migration.js';
import { mayHaveLosers } from './losing-branches.js';
import { mayBeRace } from './merge-mode.js';
import { TokenFlow } from './token-flow.js';
import { warnOfUnmatchedOutcomes } from './unmatched-outcomes.js';

/** What is worked out once for all executions of one flowchart of a graph. */
interface Prepared {
  connections?: readonly FlowConnection[];
  readonly graphs: Map<string, FlowGraph>;
}

/**
 * Runs activities along connections. Completes when nothing in it runs, waits or is queued; a faulted child keeps it
 * from completing.
 */
@Activity({
  type: 'Elsa.Flowchart',
  category: 'Flow',
  description: 'Runs activities along the connections between them.',
  isContainer: true,
  isBrowsable: false,
})
export class Flowchart extends ActivityBase {
  /** The activities that the connections lead between. */
  @Children() activities: ActivityNode[];
  /** Only named for tools: definitions say with a Start activity where they start. Not `start`, which JSON may contain. */
  @Port({ name: 'Start', isBrowsable: false }) startPort: ActivityNode | undefined;
  private drawn: readonly ConnectionJson[];
  private startId: string | undefined;
  private prepared: Prepared;

  /** Reads members of the JSON that are not inputs. The engine calls it once for each occurrence in a definition. */
  static readNode(json: Readonly<Record<string, unknown>>): Record<string, unknown> {
    const startId = typeof json.start === 'string' ? json.start : undefined;
    return { drawn: readConnections(json.connections), startId, prepared: { graphs: new Map() } satisfies Prepared };
  }

  execute(ctx: ActivityExecutionContext): unknown {
    const rest = takeRest(ctx);
    if (rest) return this.goOn(ctx, rest);
    const trigger = this.triggerOf(ctx) ?? rememberedStart(ctx);
    const around = trigger === undefined ? this.aroundTrigger(ctx) : undefined;
    const start = findStart(this.activities, this.connections(), this.startId, trigger, around);
    if (!start) return ctx.complete();
    // Remembered, because the trigger is known in the first burst only. Others can be worked out again.
    if (trigger !== undefined || start.id === around) new FlowScope(ctx).start = start.id;
    if (flowchartMode(ctx) === 'token') new FlowTokens(ctx).clear();
    return ctx.schedule(start, { callback: this.onChildCompleted });
  }

  /** It has failed by itself, and is retried: what it had done is not done again. */
  private goOn(ctx: ActivityExecutionContext, { left, visits }: FlowRest): unknown {
    const flow = this.flow(ctx);
    const node = left && this.activities.find(({ id }) => id === left.id);
    return followOrNote(ctx, flow, () => (node ? flow.leave(node, left.outcomes) : flow.resume(visits)));
  }

  /** Id of the activity that started the workflow, if it is one of its own. */
  private triggerOf({ workflow: { triggerActivityId, graph } }: ActivityExecutionContext): string | undefined {
    if (triggerActivityId === undefined) return undefined;
    return this.activities.find((activity) => graph.isTrigger(activity, triggerActivityId))?.id;
  }

  /** Id of the one among its own that contains the activity that started the workflow. */
  private aroundTrigger({
    node,
    workflow: { triggerActivityId, graph },
  }: ActivityExecutionContext): string | undefined {
    let inner = triggerActivityId === undefined ? undefined : graph.findTrigger(triggerActivityId);
    while (inner && inner.parent !== node) inner = inner.parent;
    return inner?.id;
  }

  /** Called by the engine when a child has completed. */
  onChildCompleted(ctx: ActivityExecutionContext, child: ActivityExecutionContext): unknown {
    return ctx.workflow.contexts.resting !== undefined && this.mayEndOthers(ctx, child.node)
      ? afterRestoring(ctx, () => this.leave(ctx, child))
      : this.leave(ctx, child);
  }

  /** A race is decided where something arrives, and settled where the winner ends: a loop beside ten thousand branches restores none. */
  private mayEndOthers(ctx: ActivityExecutionContext, child: ActivityNode): boolean {
    if (child.isTerminal || mayBeRace(child)) return true;
    return this.graphOf(ctx)
      .outbound(child)
      .some(({ target }) => mayBeRace(target));
  }

  private leave(ctx: ActivityExecutionContext, child: ActivityExecutionContext): unknown {
    if (child.node.isTerminal) return ctx.complete();
    if (child.outcomes !== DEFAULT_OUTCOMES) warnOfUnmatchedOutcomes(child, this.graphOf(ctx));
    if (!FlowTokens.areUsedBy(ctx)) {
      const next = this.graphOf(ctx).onlyNext(child.node);
      if (next && child.outcomes.includes(next.port))
        return ctx.schedule(next.target, { callback: this.onChildCompleted, after: child });
    }
    const flow = this.flow(ctx, child);
    return followOrNote(ctx, flow, () => flow.leave(child.node, child.outcomes));
  }

  /** Outcomes by which connections leave an activity of its own; null: the default outcome. @internal */
  portsOf(ctx: ActivityExecutionContext, node: ActivityNode): readonly (string | null)[] {
    return this.graphOf(ctx)
      .outbound(node)
      .map(({ port }) => port);
  }

  override onChildCanceled(ctx: ActivityExecutionContext, child: ActivityExecutionContext): unknown {
    const flow = this.flow(ctx, child);
    return followOrNote(ctx, flow, () => (flow instanceof TokenFlow ? flow.drop(child.node) : flow.skip(child.node)));
  }

  override onMigrated(migration: ActivityMigration): void {
    const before = migration.activity as Flowchart;
    const trigger = FlowScope.startOf(migration.properties);
    const from = before.graphFrom(trigger);
    const flow = new FlowMigration(migration, from);
    const start = flow.moveStart();
    if (trigger === undefined || start !== undefined) flow.moveTo(this.graphFrom(start));
  }

  override onSignal(signal: Signal, context: SignalContext): unknown {
    if (signal.type === 'Suspended') return this.onSuspended(context.receiver);
    return scheduleRequestedChild(signal, context, this.onChildCompleted);
  }

  /** What begins to wait now may belong to a branch that lost its race while it was in the queue. */
  private onSuspended(ctx: ActivityExecutionContext): unknown {
    if (ctx.isExecuting || ctx.queuedWork > 0 || !mayHaveLosers(ctx)) return undefined;
    const flow = this.flow(ctx);
    // Not the fault of what has begun to wait.
    const fail = (error: unknown): unknown => ctx.workflow.invoker.fault(ctx, error);
    try {
      const done = followOrNote(ctx, flow, () => flow.settle());
      return isPromiseLike(done) ? done.then(() => ctx.completeIfIdle(), fail) : ctx.completeIfIdle();
    } catch (error) {
      return fail(error);
    }
  }

  /** The next attempt begins at the start, where nothing has been visited yet. */
  override onTimedOut(ctx: ActivityExecutionContext): void {
    takeRest(ctx);
    new FlowScope(ctx).forgetVisits();
  }

  private flow(ctx: ActivityExecutionContext, after?: ActivityExecutionContext): CounterFlow | TokenFlow {
    const schedule: ScheduleChild = (node, input) =>
      void ctx.schedule(node, { callback: this.onChildCompleted, input, after });
    const graph = this.graphOf(ctx);
    return FlowTokens.areUsedBy(ctx) ? new TokenFlow(ctx, graph, schedule) : new CounterFlow(ctx, graph, schedule);
  }

  /** Classified once per start activity, not once per run. */
  private graphOf(ctx: ActivityExecutionContext): FlowGraph {
    return this.graphFrom(new FlowScope(ctx).start);
  }

  private graphFrom(trigger: string | undefined): FlowGraph {
    const key = trigger ?? '';
    const { graphs } = this.prepared;
    let graph = graphs.get(key);
    if (!graph) {
      const start = findStart(this.activities, this.connections(), this.startId, trigger)!;
      graph = new FlowGraph(start, this.activities, this.connections());
      graphs.set(key, graph);
    }
    return graph;
  }

  private connections(): readonly FlowConnection[] {
    return (this.prepared.connections ??= bindConnections(this.drawn, this.activities));
  }
}

/** Of the attempt before. It began at the trigger of the workflow, or around it, which is known in the first burst only. */
function rememberedStart({ existingProperties }: ActivityExecutionContext): string | undefined {
  return existingProperties && FlowScope.startOf(existingProperties);
}
