import type { ActivityExecutionContext } from '../execution/activity-execution-context.js';
import type { ActivityNode } from '../graph/activity-node.js';
import { isPromiseLike } from '../values/promise-like.js';
import type { FlowConnection } from './flow-connection.js';
import type { FlowGraph } from './flow-graph.js';
import type { FlowRest } from './flow-rest.js';
import { FlowScope } from './flow-scope.js';
import { isFlowJoin, joinModeOf, type JoinMode } from './join-mode.js';
import { cancelAncestors, cancelLatecomers } from './losing-branches.js';

/** A connection that has been reached: followed, or passed by because its outcome was not taken. */
interface Visit {
  readonly connection: FlowConnection;
  readonly followed: boolean;
}

export type ScheduleChild = (node: ActivityNode, input?: Record<string, unknown>) => void;

/**
 * Counter mode. Every activity visits all of its outbound connections once, followed or not; so a join knows when
 * nothing more will come.
 * 1. A forward visit waits at its target until the join mode is satisfied; then every inbound connection is answered once.
 * 2. A target that is not run is skipped: its own outbound connections are visited as not followed.
 * 3. A backward connection runs its target at once and is not counted.
 * 4. WaitAny answers connections before they are visited; those visits are ignored when they come.
 */
export class CounterFlow {
  private readonly scope: FlowScope;
  /** To be visited, the next one last: with recursion a long dead path would overflow the stack. */
  private readonly open: Visit[] = [];
  /** What is being done: it is done again where it fails. */
  private leaving: FlowRest['left'];
  private visiting: Visit | undefined;

  constructor(
    private readonly flowchart: ActivityExecutionContext,
    private readonly graph: FlowGraph,
    private readonly schedule: ScheduleChild,
  ) {
    this.scope = new FlowScope(flowchart);
  }

  /** A child completed with those outcomes. */
  leave(node: ActivityNode, outcomes: readonly (string | null)[]): unknown {
    this.leaving = { id: node.id, outcomes };
    this.graph.requireReachable(node);
    const mode =
      isFlowJoin(node) && this.graph.forwardInbound(node).length > 1 ? joinModeOf(this.flowchart, node) : undefined;
    if (isPromiseLike(mode)) return mode.then((m) => this.leaveJoin(node, outcomes, m as JoinMode));
    return this.leaveJoin(node, outcomes, mode);
  }

  /** Makes the visits that were left when the flowchart failed. */
  resume(visits: FlowRest['visits']): unknown {
    for (const { key, followed } of visits) {
      const connection = this.graph.connections.find((c) => c.key === key);
      if (connection) this.open.push({ connection, followed });
    }
    return this.settle();
  }

  rest(): FlowRest {
    if (this.leaving) return { left: this.leaving, visits: [] };
    const visits = this.visiting ? [...this.open, this.visiting] : this.open;
    return { visits: visits.map(({ connection, followed }) => ({ key: connection.key, followed })) };
  }

  /** A child was cancelled: nothing that follows it runs, unless it is reached from elsewhere. */
  skip(node: ActivityNode): unknown {
    this.visitOutbound(node, () => false);
    return this.settle();
  }

  /** Branches may have begun to wait between the moment when the join was scheduled and now. */
  private leaveJoin(node: ActivityNode, outcomes: readonly (string | null)[], mode: JoinMode | undefined): unknown {
    this.leaving = undefined;
    this.visitOutbound(node, (connection) => outcomes.includes(connection.port));
    if (mode === 'WaitAny') this.cancelAncestors(node);
    return this.settle();
  }

  /** Makes the visits that are due, then looks for branches that are not waited for any more. */
  settle(): unknown {
    for (;;) {
      for (let visit = this.open.pop(); visit; visit = this.open.pop()) {
        this.visiting = visit;
        const mode = this.modeFor(visit);
        if (isPromiseLike(mode)) {
          const { connection, followed } = visit;
          return mode.then((m) => {
            this.arrive(connection, followed, m as JoinMode);
            this.visiting = undefined;
            return this.settle();
          });
        }
        this.arrive(visit.connection, visit.followed, mode);
        this.visiting = undefined;
      }
      const late = cancelLatecomers(this.flowchart, this.graph, (c) => this.scope.visitsOf(c) < 0);
      if (late.length === 0 && !this.hasLeftVisits()) return undefined;
      for (const node of late) this.visitOutbound(node, () => false);
    }
  }

  /**
   * When nothing is left to run: has visits made again that wait although nothing more will come. Where a node of an earlier version has let
   * them wait, another connection of a loop with several entries led back (ADR 142); the flowchart would complete without what they lead to.
   */
  private hasLeftVisits(): boolean {
    if (!this.scope.hasVisits || this.flowchart.isWaiting) return false;
    const left = this.graph.connections.find(
      (connection) =>
        this.scope.visitsOf(connection) > 0 &&
        (this.graph.isBackward(connection) || this.scope.areAllVisited(this.graph.forwardInbound(connection.target))),
    );
    if (!left) return false;
    this.open.push({ connection: left, followed: this.scope.wasFollowed(left) });
    this.scope.answer(left);
    return true;
  }

  private modeFor({ connection }: Visit): JoinMode | Promise<JoinMode> {
    return this.graph.isBackward(connection) ? 'WaitAny' : joinModeOf(this.flowchart, connection.target);
  }

  private arrive(connection: FlowConnection, followed: boolean, mode: JoinMode): void {
    if (this.graph.isBackward(connection)) return followed ? this.loop(connection) : undefined;
    const inbound = this.graph.forwardInbound(connection.target);
    if (inbound.length <= 1)
      return followed ? this.schedule(connection.target) : this.visitOutbound(connection.target, () => false);
    if (mode === 'WaitAny') return this.arriveAtAny(connection, followed, inbound);
    this.scope.visit(connection, followed);
    if (!this.scope.areAllVisited(inbound)) return;
    const wasFollowed = (c: FlowConnection) => this.scope.wasFollowed(c);
    this.answer(
      connection.target,
      inbound,
      mode === 'WaitAll' ? inbound.every(wasFollowed) : inbound.some(wasFollowed),
    );
  }

  private arriveAtAny(connection: FlowConnection, followed: boolean, inbound: readonly FlowConnection[]): void {
    const isAnswered = this.scope.visitsOf(connection) < 0;
    this.scope.visit(connection, followed);
    if (isAnswered || (!followed && !this.scope.areAllVisited(inbound))) return;
    this.answer(connection.target, inbound, followed);
    if (followed) this.cancelAncestors(connection.target);
  }

  private answer(target: ActivityNode, inbound: readonly FlowConnection[], runs: boolean): void {
    for (const connection of inbound) this.scope.answer(connection);
    if (runs) this.schedule(target);
    else this.visitOutbound(target, () => false);
  }

  private loop(connection: FlowConnection): void {
    this.graph.requireValidLoop(connection);
    this.schedule(connection.target, { BackwardConnection: true });
  }

  private cancelAncestors(join: ActivityNode): void {
    for (const node of cancelAncestors(this.flowchart, this.graph, join)) this.visitOutbound(node, () => false);
  }

  private visitOutbound(node: ActivityNode, isFollowed: (connection: FlowConnection) => boolean): void {
    const outbound = this.graph.outbound(node);
    for (let i = outbound.length - 1; i >= 0; i--) {
      const connection = outbound[i]!;
      this.open.push({ connection, followed: isFollowed(connection) });
    }
  }
}
