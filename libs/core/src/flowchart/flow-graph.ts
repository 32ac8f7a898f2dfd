import { WorkflowExecutionError } from '../errors/execution-errors.js';
import type { ActivityNode } from '../graph/activity-node.js';
import { classifyEdges, type EdgeKind } from './classify-edges.js';
import type { FlowConnection } from './flow-connection.js';
import { isFlowJoin } from './join-mode.js';

const NONE: readonly FlowConnection[] = [];

/** The connections of a flowchart, seen from one start activity. Immutable; shared by all executions. */
export class FlowGraph {
  private readonly outboundOf = new Map<ActivityNode, FlowConnection[]>();
  private readonly inboundOf = new Map<ActivityNode, FlowConnection[]>();
  private readonly forwardInboundOf = new Map<ActivityNode, FlowConnection[]>();
  private readonly kinds = new Map<FlowConnection, EdgeKind>();
  private readonly ancestors = new Map<ActivityNode, ReadonlySet<ActivityNode>>();
  private readonly feeders = new Map<ActivityNode, ReadonlySet<ActivityNode>>();

  private readonly onlyNextOf = new Map<ActivityNode, FlowConnection | undefined>();

  constructor(
    readonly start: ActivityNode,
    nodes: readonly ActivityNode[],
    readonly connections: readonly FlowConnection[],
  ) {
    const number = new Map(nodes.map((node, i) => [node, i] as const));
    const edges = connections.map((c) => ({ from: number.get(c.source)!, to: number.get(c.target)! }));
    const kinds = classifyEdges(edges, nodes.length, number.get(start)!);
    connections.forEach((connection, i) => {
      this.kinds.set(connection, kinds[i]!);
      append(this.outboundOf, connection.source, connection);
      append(this.inboundOf, connection.target, connection);
      if (kinds[i] === 'Forward') append(this.forwardInboundOf, connection.target, connection);
    });
  }

  outbound(node: ActivityNode): readonly FlowConnection[] {
    return this.outboundOf.get(node) ?? NONE;
  }

  inbound(node: ActivityNode): readonly FlowConnection[] {
    return this.inboundOf.get(node) ?? NONE;
  }

  /**
   * The connection to what follows the activity, where nothing else follows it, and nothing else leads there: once it is followed, no
   * arrival has to be counted, and no branch can be too late. Undefined: there is more to look at.
   */
  onlyNext(node: ActivityNode): FlowConnection | undefined {
    if (this.onlyNextOf.has(node)) return this.onlyNextOf.get(node);
    const next = this.findOnlyNext(node);
    this.onlyNextOf.set(node, next);
    return next;
  }

  private findOnlyNext(node: ActivityNode): FlowConnection | undefined {
    const outbound = this.outbound(node);
    const [next] = outbound;
    const isReachable = node === this.start || this.forwardInboundOf.has(node);
    if (!next || outbound.length > 1 || !isReachable || this.isBackward(next)) return undefined;
    if (isFlowJoin(node) || isFlowJoin(next.target)) return undefined;
    return this.forwardInbound(next.target).length <= 1 ? next : undefined;
  }

  /** What a join waits for: loops and unreachable activities are left out. */
  forwardInbound(node: ActivityNode): readonly FlowConnection[] {
    return this.forwardInboundOf.get(node) ?? NONE;
  }

  isBackward(connection: FlowConnection): boolean {
    const kind = this.kinds.get(connection);
    return kind === 'Backward' || kind === 'Invalid';
  }

  /** @throws WorkflowExecutionError (`WM2033`) when the loop can be entered without passing its target */
  requireValidLoop(connection: FlowConnection): void {
    if (this.kinds.get(connection) !== 'Invalid') return;
    throw new WorkflowExecutionError(
      'WM2033',
      `Invalid backward connection: every path from the source ('${connection.source.id}') must go through the target ` +
        `('${connection.target.id}') when tracing back to the start. Let every way into the loop enter at '${connection.target.id}'.`,
    );
  }

  /** @throws WorkflowExecutionError (`WM2034`) when nothing leads to that activity: it is not clear what follows it */
  requireReachable(node: ActivityNode): void {
    if (node === this.start || this.forwardInboundOf.has(node)) return;
    throw new WorkflowExecutionError(
      'WM2034',
      `Activity '${node.id}' is not reachable from the start of its flowchart ('${this.start.id}'): unable to schedule what follows it. Connect it.`,
    );
  }

  /** All from which forward connections lead to the activity. */
  ancestorsOf(node: ActivityNode): ReadonlySet<ActivityNode> {
    return this.ancestors.get(node) ?? this.collect(node, this.ancestors, (n) => this.forwardInbound(n));
  }

  /** All from which any connections, loops as well, lead to the activity on a way that does not pass it before. */
  feedersOf(node: ActivityNode): ReadonlySet<ActivityNode> {
    return this.feeders.get(node) ?? this.collect(node, this.feeders, (n) => this.inbound(n));
  }

  private collect(
    node: ActivityNode,
    known: Map<ActivityNode, ReadonlySet<ActivityNode>>,
    inbound: (node: ActivityNode) => readonly FlowConnection[],
  ): ReadonlySet<ActivityNode> {
    const found = new Set<ActivityNode>();
    const open = [node];
    for (let next = open.pop(); next; next = open.pop())
      for (const { source } of inbound(next))
        if (source !== node && !found.has(source)) {
          found.add(source);
          open.push(source);
        }
    known.set(node, found);
    return found;
  }

  /**
   * True when every way on from the activity ends at one of the chosen connections: it is not needed once these do not count.
   */
  leadsOnlyTo(node: ActivityNode, isEnd: (connection: FlowConnection) => boolean): boolean {
    const seen = new Set([node]);
    const open = [node];
    for (let next = open.pop(); next; next = open.pop()) {
      const outbound = this.outbound(next);
      if (outbound.length === 0) return false;
      for (const connection of outbound) {
        if (isEnd(connection)) continue;
        // Asked before whether it was seen: what leads back to where it began goes on as well.
        if (this.isBackward(connection)) return false;
        if (seen.has(connection.target)) continue;
        seen.add(connection.target);
        open.push(connection.target);
      }
    }
    return true;
  }
}

function append<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}
