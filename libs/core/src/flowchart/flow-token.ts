import type { ActivityExecutionContext } from '../execution/activity-execution-context.js';
import type { ActivityNode } from '../graph/activity-node.js';
import type { FlowConnection } from './flow-connection.js';

export const TOKENS = 'Flowchart.Tokens';

/**
 * `Waiting`: came to an activity that is not run yet. `Taken`: its activity is queued or running. `Blocked`: not a token
 * but the lack of one: the next that comes along this connection is swallowed.
 */
export type TokenState = 'Waiting' | 'Taken' | 'Blocked';

/** Plain data, as it is stored. Used tokens are removed at once. */
export interface FlowToken {
  fromActivityId: string;
  outcome: string | null;
  toActivityId: string;
  state: TokenState;
}

/** The tokens of one execution of a flowchart in token mode. */
export class FlowTokens {
  constructor(private readonly ctx: ActivityExecutionContext) {}

  /** True once the flowchart runs in token mode: an instance keeps the mode it began with. */
  static areUsedBy(ctx: ActivityExecutionContext): boolean {
    return Object.hasOwn(ctx.properties, TOKENS);
  }

  get all(): readonly FlowToken[] {
    const stored = this.ctx.properties[TOKENS];
    return Array.isArray(stored) ? (stored as FlowToken[]) : [];
  }

  clear(): void {
    this.ctx.properties[TOKENS] = [];
  }

  add(connection: FlowConnection, state: TokenState): void {
    (this.ctx.properties[TOKENS] as FlowToken[]).push({
      fromActivityId: connection.source.id,
      outcome: connection.port,
      toActivityId: connection.target.id,
      state,
    });
  }

  removeWhere(selects: (token: FlowToken) => boolean): void {
    this.ctx.properties[TOKENS] = this.all.filter((token) => !selects(token));
  }

  /** Takes one block of that connection away. @returns false when there was none */
  unblock(connection: FlowConnection): boolean {
    const index = this.all.findIndex((token) => token.state === 'Blocked' && isOn(token, connection));
    if (index >= 0) (this.ctx.properties[TOKENS] as FlowToken[]).splice(index, 1);
    return index >= 0;
  }

  isBlocked(connection: FlowConnection): boolean {
    return this.all.some((token) => token.state === 'Blocked' && isOn(token, connection));
  }

  /** Tells along which connections something waits for that activity: looks once through the tokens, however many join. */
  waitingAt(target: ActivityNode): (connection: FlowConnection) => boolean {
    const waiting = this.all.filter((token) => token.state === 'Waiting' && token.toActivityId === target.id);
    const keys = new Set(waiting.map((token) => keyOf(token.fromActivityId, token.outcome)));
    return (connection) => keys.has(keyOf(connection.source.id, connection.port));
  }

  /** Ids of the activities that a token which counts is on its way to, or at. */
  headedForIds(): ReadonlySet<string> {
    return new Set(this.all.filter((token) => token.state !== 'Blocked').map((token) => token.toActivityId));
  }

  /** The activity is being scheduled: what waits for it is its own now. */
  take(node: ActivityNode): void {
    for (const token of this.all)
      if (token.state === 'Waiting' && token.toActivityId === node.id) token.state = 'Taken';
  }

  waitingIds(): Set<string> {
    return new Set(this.all.filter((token) => token.state === 'Waiting').map((token) => token.toActivityId));
  }
}

function isOn(token: FlowToken, { source, port, target }: FlowConnection): boolean {
  return token.fromActivityId === source.id && token.outcome === port && token.toActivityId === target.id;
}

function keyOf(sourceId: string, outcome: string | null): string {
  return outcome === null ? sourceId : `${sourceId}\n${outcome}`;
}
