import type { ActivityExecutionContext } from '../execution/activity-execution-context.js';
import type { ActivityNode } from '../graph/activity-node.js';
import { isPromiseLike } from '../values/promise-like.js';
import type { ScheduleChild } from './counter-flow.js';
import type { FlowConnection } from './flow-connection.js';
import type { FlowGraph } from './flow-graph.js';
import type { FlowRest } from './flow-rest.js';
import { FlowTokens } from './flow-token.js';
import { cancelAncestors, cancelLatecomers } from './losing-branches.js';
import { isCascade, isCascading, mergeModeOf, type MergeMode } from './merge-mode.js';

/**
 * Token mode. Every followed connection carries a token to its target, whose merge mode says when it runs.
 * 1. A token is Waiting until its target is scheduled, then Taken; it is gone when the target has completed.
 * 2. An activity waits only for tokens that may still come to it. When none can, it runs with those that it has
 *    (Stream, MergeActive) or, where all of them are needed (Merge, Converge), they are dropped: a flowchart never hangs
 *    because of a branch that was not taken.
 * 3. Going back in a loop lifts the blocks inside it: the next round is a new race.
 */
export class TokenFlow {
  private readonly tokens: FlowTokens;
  /** What is being done: it is done again where it fails. */
  private leaving: FlowRest['left'];
  private arriving: readonly FlowConnection[] = [];

  constructor(
    private readonly flowchart: ActivityExecutionContext,
    private readonly graph: FlowGraph,
    private readonly schedule: ScheduleChild,
  ) {
    this.tokens = new FlowTokens(flowchart);
  }

  /** A child completed with those outcomes. */
  leave(node: ActivityNode, outcomes: readonly (string | null)[]): unknown {
    this.leaving = { id: node.id, outcomes };
    return this.withMode(node, (mode) => this.leaveAs(node, outcomes, mode));
  }

  /** Lets the tokens arrive that were left when the flowchart failed. */
  resume(visits: FlowRest['visits']): unknown {
    const keys = visits.map(({ key }) => key);
    return this.arriveAll(this.graph.connections.filter(({ key }) => keys.includes(key)));
  }

  rest(): FlowRest {
    if (this.leaving) return { left: this.leaving, visits: [] };
    return { visits: this.arriving.map(({ key }) => ({ key, followed: true })) };
  }

  private leaveAs(node: ActivityNode, outcomes: readonly (string | null)[], mode: MergeMode): unknown {
    this.leaving = undefined;
    const outbound = this.graph.outbound(node);
    const active = outbound.filter((c) => outcomes.includes(c.port));
    for (const connection of active) this.tokens.add(connection, 'Waiting');
    this.tokens.removeWhere((t) => t.state === 'Taken' && t.toActivityId === node.id);
    // What did not come along a connection now must not swallow what comes later.
    for (const connection of outbound) if (!active.includes(connection)) this.tokens.unblock(connection);
    for (const connection of active) if (this.graph.isBackward(connection)) this.liftBlocks(connection.target);
    if (mode === 'Race') this.cancelAncestors(node);
    return this.arriveAll(active);
  }

  /** A child was cancelled: its tokens are gone. */
  drop(node: ActivityNode): unknown {
    this.forget(node);
    return this.settle();
  }

  private arriveAll(active: readonly FlowConnection[], from = 0): unknown {
    for (let i = from; i < active.length; i++) {
      const connection = active[i]!;
      this.arriving = active.slice(i);
      const isLater = (other: FlowConnection): boolean => active.indexOf(other) > i;
      const done = this.withMode(connection.target, (mode) => this.arrive(connection, mode, isLater));
      if (isPromiseLike(done)) return done.then(() => this.arriveAll(active, i + 1));
    }
    this.arriving = [];
    return this.settle();
  }

  private arrive(connection: FlowConnection, mode: MergeMode, isLater: (other: FlowConnection) => boolean): void {
    const { target } = connection;
    if (isCascading(mode)) return this.arriveFirst(connection, mode, isLater);
    if (this.isReady(target, mode)) this.run(target);
  }

  private isReady(target: ActivityNode, mode: MergeMode): boolean {
    const forward = this.graph.forwardInbound(target);
    if (mode === 'Stream') {
      const headedFor = this.tokens.headedForIds();
      return !forward.some((c) => headedFor.has(c.source.id));
    }
    if (mode !== 'Converge' && forward.length <= 1) return true;
    const awaited = mode === 'Converge' ? this.graph.inbound(target) : forward;
    if (awaited.every(this.tokens.waitingAt(target))) return true;
    return !this.needsMore(target, mode) && !this.mayStillCome(target);
  }

  /** True where a token is missing without which the activity does not run, even if it can no longer come. */
  private needsMore(target: ActivityNode, mode: MergeMode): boolean {
    if (mode !== 'Merge' && mode !== 'Converge') return false;
    const hasToken = this.tokens.waitingAt(target);
    if (this.graph.forwardInbound(target).every(hasToken)) return false;
    // The next round of a loop comes back without the branches that led to the first one.
    return mode === 'Merge' || !this.graph.inbound(target).some((c) => this.graph.isBackward(c) && hasToken(c));
  }

  /** True while something that runs, waits or is queued may lead to the activity, through a loop as well. */
  private mayStillCome(target: ActivityNode): boolean {
    const feeders = this.graph.feedersOf(target);
    const headedFor = this.tokens.headedForIds();
    for (const node of feeders) if (headedFor.has(node.id)) return true;
    return this.flowchart.activeChildren?.list().some((child) => feeders.has(child.node)) ?? false;
  }

  /** @param isLater whether it was taken together with this connection and comes next: of its siblings only such ones lose against it */
  private arriveFirst(connection: FlowConnection, mode: MergeMode, isLater: (other: FlowConnection) => boolean): void {
    const { source, target } = connection;
    if (this.tokens.unblock(connection)) {
      this.tokens.removeWhere((t) => t.state === 'Waiting' && t.toActivityId === target.id);
      return;
    }
    this.run(target);
    for (const other of this.graph.forwardInbound(target))
      if (other.source !== source || isLater(other)) this.tokens.add(other, 'Blocked');
    if (mode === 'Race') this.cancelAncestors(target);
  }

  private run(target: ActivityNode): void {
    this.tokens.take(target);
    this.schedule(target);
  }

  /** After every change: activities may wait for tokens that have gone elsewhere by now. */
  settle(): unknown {
    const waiting = [...this.tokens.waitingIds()].map((id) => this.flowchart.node.children.find((n) => n.id === id)!);
    return then(this.recheck(waiting, 0), () => (this.isIdle() ? this.release(waiting, 0) : undefined));
  }

  private recheck(waiting: readonly ActivityNode[], from: number): unknown {
    for (let i = from; i < waiting.length; i++) {
      const node = waiting[i]!;
      const done = this.withMode(node, (mode) => {
        if (!isCascading(mode) && this.isReady(node, mode)) this.run(node);
      });
      if (isPromiseLike(done)) return done.then(() => this.recheck(waiting, i + 1));
    }
    return undefined;
  }

  /** Nothing more will come: what waits for that runs now, beginning with those that others may wait for. */
  private release(waiting: readonly ActivityNode[], from: number): unknown {
    for (let i = from; i < waiting.length; i++) {
      const node = waiting[i]!;
      const done = this.withMode(node, (mode) => {
        if (waiting.some((other) => other !== node && this.graph.ancestorsOf(node).has(other))) return;
        if (this.needsMore(node, mode))
          this.tokens.removeWhere((t) => t.state === 'Waiting' && t.toActivityId === node.id);
        else this.run(node);
      });
      if (isPromiseLike(done)) return done.then(() => this.release(waiting, i + 1));
    }
    if (!this.isIdle()) return undefined;
    // Dropped tokens may be what the others waited for.
    if (this.tokens.waitingIds().size > 0) return this.settle();
    this.tokens.clear();
    return undefined;
  }

  private isIdle(): boolean {
    const hasLost = (c: FlowConnection) => this.tokens.isBlocked(c) && !isCascade(c.target);
    const late = cancelLatecomers(this.flowchart, this.graph, hasLost);
    for (const node of late) this.forget(node);
    return this.flowchart.queuedWork === 0 && !this.flowchart.activeChildren?.size;
  }

  private cancelAncestors(join: ActivityNode): void {
    for (const node of cancelAncestors(this.flowchart, this.graph, join)) this.forget(node);
  }

  private forget(node: ActivityNode): void {
    this.tokens.removeWhere(
      (t) => t.state !== 'Blocked' && (t.toActivityId === node.id || t.fromActivityId === node.id),
    );
  }

  private liftBlocks(entry: ActivityNode): void {
    const ids = new Map(this.flowchart.node.children.map((child) => [child.id, child] as const));
    this.tokens.removeWhere(
      (t) => t.state === 'Blocked' && this.graph.ancestorsOf(ids.get(t.toActivityId) ?? entry).has(entry),
    );
  }

  private withMode(node: ActivityNode, use: (mode: MergeMode) => unknown): unknown {
    const mode = mergeModeOf(this.flowchart, node);
    return isPromiseLike(mode) ? mode.then((m) => use(m as MergeMode)) : use(mode);
  }
}

function then(first: unknown, second: () => unknown): unknown {
  return isPromiseLike(first) ? first.then(second) : second();
}
