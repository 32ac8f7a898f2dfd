import type { ActivityExecutionContext } from '../execution/activity-execution-context.js';
import type { FlowConnection } from './flow-connection.js';

export const SCOPE = 'FlowScope';

export interface Arrival {
  /**
   * Above zero: visits that the target has not answered yet. Below zero: visits to come that are answered already,
   * because the target did not wait for them.
   */
  visits: number;
  /** Whether the last visit followed the connection. */
  followed: boolean;
}

/** Plain data, as it is stored. Connections at zero visits are left out, so it holds unfinished joins only. */
export interface FlowScopeState {
  /** Id of the activity that it started at, if that was the trigger of the workflow. */
  start?: string;
  connections?: Record<string, Arrival>;
}

/** What the counter mode remembers of one execution of a flowchart. */
export class FlowScope {
  constructor(private readonly ctx: ActivityExecutionContext) {}

  /** The same, of stored properties. */
  static startOf(properties: Readonly<Record<string, unknown>>): string | undefined {
    return (properties[SCOPE] as FlowScopeState | undefined)?.start;
  }

  get start(): string | undefined {
    return this.stored?.start;
  }
  set start(id: string) {
    this.state.start = id;
  }

  /** Nothing has run yet since the start, which stays the same. */
  forgetVisits(): void {
    if (this.stored) delete this.state.connections;
  }

  visit(connection: FlowConnection, followed: boolean): void {
    this.set(connection, this.visitsOf(connection) + 1, followed);
  }

  /** Notes that a visit is answered, be it one that was made or one to come. */
  answer(connection: FlowConnection): void {
    this.set(connection, this.visitsOf(connection) - 1, this.wasFollowed(connection));
  }

  /** There are visits that are not answered, or answers to visits to come. */
  get hasVisits(): boolean {
    const connections = this.stored?.connections;
    return connections !== undefined && Object.keys(connections).length > 0;
  }

  visitsOf({ key }: FlowConnection): number {
    return this.stored?.connections?.[key]?.visits ?? 0;
  }

  wasFollowed({ key }: FlowConnection): boolean {
    return this.stored?.connections?.[key]?.followed ?? false;
  }

  /** True when each of them has a visit that is not answered. */
  areAllVisited(connections: readonly FlowConnection[]): boolean {
    // From the end: visits come in about the order of the connections, so a missing one is found at once.
    for (let i = connections.length - 1; i >= 0; i--) if (this.visitsOf(connections[i]!) < 1) return false;
    return true;
  }

  private set({ key }: FlowConnection, visits: number, followed: boolean): void {
    const connections = (this.state.connections ??= {});
    if (visits === 0) delete connections[key];
    else connections[key] = { visits, followed };
  }

  private get stored(): FlowScopeState | undefined {
    return this.ctx.properties[SCOPE] as FlowScopeState | undefined;
  }

  private get state(): FlowScopeState {
    return (this.ctx.properties[SCOPE] ??= {}) as FlowScopeState;
  }
}
