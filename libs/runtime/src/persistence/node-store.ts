/** Whether a node takes work. */
export const NodeState = {
  Running: 'Running',
  Paused: 'Paused',
  Draining: 'Draining',
} as const;
export type NodeState = (typeof NodeState)[keyof typeof NodeState];

/** A process that runs workflows of this database, as it said itself. */
export interface RuntimeNode {
  /** Option `nodeName`, which is another one for each start unless it is set. */
  readonly name: string;
  /** Of `@waymark/runtime`. */
  readonly version: string;
  /** Of Node.js. */
  readonly platform: string;
  /** When it started. */
  readonly startedAt: Date;
  /** When it last said so. */
  readonly seenAt: Date;
  /** Whether it takes work. */
  readonly state: NodeState;
  /** Bursts that it runs. */
  readonly activeBursts: number;
}

/** Which nodes there are. Nothing is decided by it: a node that cannot be seen may still work. */
export interface NodeStore {
  /** Writes what a node is now; one that is known is replaced. */
  announce(node: RuntimeNode): Promise<void>;
  /** By their names. @param limit how many at most */
  list(limit: number): Promise<RuntimeNode[]>;
  /** Removes one, when it stops. */
  remove(name: string): Promise<void>;
  /** Removes those that were not seen since. */
  purge(before: Date): Promise<number>;
}
