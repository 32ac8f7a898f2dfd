import type { ActivityMigration } from '../execution/activity-migration.js';
import type { ActivityNode } from '../graph/activity-node.js';
import type { FlowConnection } from './flow-connection.js';
import type { FlowGraph } from './flow-graph.js';
import { type FlowRest, REST } from './flow-rest.js';
import { type Arrival, type FlowScopeState, SCOPE } from './flow-scope.js';
import { type FlowToken, TOKENS } from './flow-token.js';
import { isFlowJoin } from './join-mode.js';

/**
 * Takes one execution of a flowchart to another version: what it remembers of connections is written for those of that version.
 * It is refused where a branch that has come to a join would be forgotten, or a join wait for what cannot come any more.
 */
export class FlowMigration {
  private readonly byId: ReadonlyMap<string, ActivityNode>;

  constructor(
    private readonly migration: ActivityMigration,
    private readonly from: FlowGraph,
  ) {
    this.byId = new Map(migration.from.children.map((node) => [node.id, node] as const));
  }

  /** @returns id of the activity at which it was started by a trigger; undefined when it was not, or that has no counterpart */
  moveStart(): string | undefined {
    const scope = this.scope;
    if (scope?.start === undefined) return undefined;
    const start = this.idOf(scope.start);
    if (start === undefined) this.migration.refuse(`it was started at '${scope.start}', which has no counterpart`);
    else scope.start = start;
    return start;
  }

  moveTo(graph: FlowGraph): void {
    for (const { to } of this.migration.children)
      if (!isReachable(graph, to)) this.migration.refuse(`no connection leads to '${to.id}' in the other version`);
    const { properties } = this.migration;
    const running = this.migration.children.map(({ to }) => to);
    const open = new OpenWays(graph, [...running, ...this.moveRest(graph)]);
    if (Array.isArray(properties[TOKENS]))
      properties[TOKENS] = this.tokens(properties[TOKENS] as FlowToken[], graph, open);
    else this.moveVisits(graph, open);
  }

  /** What it has yet to do after it has failed. @returns activities whose completion is still to be followed */
  private moveRest(graph: FlowGraph): ActivityNode[] {
    const rest = this.migration.properties[REST] as FlowRest | undefined;
    if (!rest) return [];
    const sources: ActivityNode[] = [];
    const left = rest.left && this.byId.get(rest.left.id);
    const to = left && this.migration.counterpartOf(left);
    if (to) sources.push(to);
    else if (rest.left) this.migration.refuse(`'${rest.left.id}' was completed last, and has no counterpart`);
    const visits: FlowRest['visits'][number][] = [];
    for (const visit of rest.visits) {
      const connection = this.from.connections.find(({ key }) => key === visit.key);
      const moved = connection && this.connectionOf(connection, graph);
      if (moved) {
        visits.push({ ...visit, key: moved.key });
        sources.push(moved.source);
      } else if (visit.followed) this.refuseLost(visit.key);
    }
    const { attempt } = rest;
    const note = {
      ...(to && { left: { ...rest.left!, id: to.id } }),
      visits,
      ...(attempt !== undefined && { attempt }),
    };
    this.migration.properties[REST] = note satisfies FlowRest;
    return sources;
  }

  private moveVisits(graph: FlowGraph, open: OpenWays): void {
    const visits: Record<string, Arrival> = {};
    for (const [key, arrival] of Object.entries(this.scope?.connections ?? {})) {
      const connection = this.from.connections.find((c) => c.key === key);
      const moved = connection && this.connectionOf(connection, graph);
      if (moved) visits[moved.key] = arrival;
      else if (arrival.visits > 0 && arrival.followed) return this.refuseLost(key);
    }
    for (const join of open.targets(graph)) {
      const inbound = graph.forwardInbound(join);
      if (inbound.length > 1) this.checkJoin(join, inbound, visits, open);
    }
    for (const { key, target } of graph.connections) {
      const hasCome = (visits[key]?.visits ?? 0) > 0 && visits[key]!.followed;
      if (hasCome && !open.leadsTo(target))
        return this.migration.refuse(`a branch has arrived at '${target.id}', and no other running branch leads there`);
    }
    if (this.scope || Object.keys(visits).length > 0) this.writeVisits(visits);
  }

  /** Along what is new, and stands where nothing runs any more, nothing will come: it counts as passed by. */
  private checkJoin(
    join: ActivityNode,
    inbound: readonly FlowConnection[],
    visits: Record<string, Arrival>,
    open: OpenWays,
  ): void {
    for (const { key, source } of inbound) {
      if (visits[key] || open.isOpen(source)) continue;
      if (waitsForAll(join))
        return this.migration.refuse(`'${join.id}' would also wait for '${source.id}', after which nothing is running`);
      visits[key] = { visits: 1, followed: false };
    }
  }

  private writeVisits(visits: Record<string, Arrival>): void {
    const scope = (this.migration.properties[SCOPE] ??= {}) as FlowScopeState;
    scope.connections = visits;
  }

  private tokens(tokens: readonly FlowToken[], graph: FlowGraph, open: OpenWays): FlowToken[] {
    const moved: FlowToken[] = [];
    for (const token of tokens) {
      const [fromActivityId, toActivityId] = [this.idOf(token.fromActivityId), this.idOf(token.toActivityId)];
      const { outcome } = token;
      const connection = graph.connections.find(
        (c) => c.source.id === fromActivityId && c.target.id === toActivityId && c.port === outcome,
      );
      if (connection)
        moved.push({ ...token, fromActivityId: connection.source.id, toActivityId: connection.target.id });
      // What it was taken for runs already.
      else if (token.state === 'Taken' && toActivityId !== undefined)
        moved.push({ ...token, fromActivityId: fromActivityId ?? token.fromActivityId, toActivityId });
      else if (token.state === 'Waiting') this.refuseLost(`${token.fromActivityId}->${token.toActivityId}`);
      if (connection && token.state === 'Waiting' && waitsForAll(connection.target))
        this.checkMerge(connection.target, graph, tokens, open);
    }
    return moved;
  }

  private checkMerge(join: ActivityNode, graph: FlowGraph, tokens: readonly FlowToken[], open: OpenWays): void {
    const hasToken = ({ source }: FlowConnection) =>
      tokens.some(({ fromActivityId, state }) => state === 'Waiting' && this.idOf(fromActivityId) === source.id);
    for (const connection of graph.forwardInbound(join))
      if (!hasToken(connection) && !open.isOpen(connection.source))
        this.migration.refuse(
          `'${join.id}' would also wait for '${connection.source.id}', after which nothing is running`,
        );
  }

  private refuseLost(connection: string): void {
    this.migration.refuse(`a branch arrived by ${connection}, a connection that the other version does not have`);
  }

  private connectionOf({ source, port, target }: FlowConnection, graph: FlowGraph): FlowConnection | undefined {
    const [from, to] = [this.migration.counterpartOf(source), this.migration.counterpartOf(target)];
    return from && to && graph.connections.find((c) => c.source === from && c.target === to && c.port === port);
  }

  private idOf(id: string): string | undefined {
    const node = this.byId.get(id);
    return node && this.migration.counterpartOf(node)?.id;
  }

  private get scope(): FlowScopeState | undefined {
    return this.migration.properties[SCOPE] as FlowScopeState | undefined;
  }
}

/** Where something runs or waits, and what may follow it before the next round of a loop. */
class OpenWays {
  private readonly after = new Set<ActivityNode>();

  constructor(
    graph: FlowGraph,
    private readonly running: readonly ActivityNode[],
  ) {
    const open = [...running];
    for (let node = open.pop(); node; node = open.pop())
      for (const connection of graph.outbound(node)) {
        const { target } = connection;
        if (graph.isBackward(connection) || this.after.has(target)) continue;
        this.after.add(target);
        open.push(target);
      }
  }

  isOpen(node: ActivityNode): boolean {
    return this.running.includes(node) || this.after.has(node);
  }

  leadsTo(node: ActivityNode): boolean {
    return this.after.has(node);
  }

  targets(graph: FlowGraph): ActivityNode[] {
    return [...this.after].filter((node) => graph.forwardInbound(node).length > 1);
  }
}

function isReachable(graph: FlowGraph, node: ActivityNode): boolean {
  return node === graph.start || graph.forwardInbound(node).length > 0;
}

/** True also when the mode is known only once it is evaluated. */
function waitsForAll(node: ActivityNode): boolean {
  const named = node.customProperties.mergeMode;
  if (typeof named === 'string') return named.toLowerCase() === 'merge';
  if (!isFlowJoin(node)) return false;
  const mode = node.inputs.find(({ name }) => name === 'Mode');
  return mode !== undefined && (mode.constant ? mode.constant.value === 'WaitAll' : mode.evaluate !== undefined);
}
