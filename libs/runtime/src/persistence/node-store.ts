/** Whether a node takes work. */
export const NodeState = {
  Running: 'Running',
  Paused: 'Paused',
  Draining: 'Draining',
} as const;
export type NodeState = (typeof NodeState)[keyof typeof NodeState];

/** A process that runs workflows of this database, as of its last heartbeat. */
export interface RuntimeNode {
  /** Option `nodeName`; unless the host sets it, each start has another name. */
  readonly name: string;
  /** Version of `@waymark/runtime`. */
  readonly version: string;
  /** Version of Node.js. */
  readonly platform: string;
  /** When it started. */
  readonly startedAt: Date;
  /** When it wrote its last heartbeat, by its own clock. */
  readonly seenAt: Date;
  /** Whether it takes work. */
  readonly state: NodeState;
  /** How many bursts it runs. */
  readonly activeBursts: number;
}

/** The list of nodes. No decision depends on it: a node that is missing from the list may still run bursts. */
export interface NodeStore {
  /** Inserts or replaces the row of a node. */
  announce(node: RuntimeNode): Promise<void>;
  /** In order of their names. @param limit how many at most */
  list(limit: number): Promise<RuntimeNode[]>;
  /** Deletes the row of a node. */
  remove(name: string): Promise<void>;
  /** Deletes the rows of nodes whose last heartbeat is older. @returns how many */
  purge(before: Date): Promise<number>;
}
