import type { StoreTime } from './message-stores.js';

/** Whether a node takes work. */
export const NodeState = {
  Running: 'Running',
  Paused: 'Paused',
  Draining: 'Draining',
} as const;
export type NodeState = (typeof NodeState)[keyof typeof NodeState];

/** A process, as its operating system tells it from all others of that machine, also from later ones. */
export interface NodeProcess {
  /** Where `id` names a process: the boot of the machine, and what else its meaning depends on. */
  readonly machine: string;
  /** Number of the process, and when it started. */
  readonly id: string;
}

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
  /** Undefined: its system does not tell processes apart for certain, or it has ended and nothing of it is left to take over. */
  readonly process?: NodeProcess | undefined;
}

/** What names a process that runs, or has run, under the name of a node. */
export interface NodeOfProcess {
  /** Name of the node. */
  readonly name: string;
  /** When it started: a later process under the same name has another time. */
  readonly startedAt: Date;
  /** Its process. */
  readonly process: NodeProcess;
}

/** What came of ending the claims of a node. */
export interface EndedClaims {
  /** How many. */
  readonly ended: number;
  /** If false, there are more, or some are being committed: ask again. */
  readonly isComplete: boolean;
}

/**
 * The list of nodes. No decision depends on who is on it, nor on heartbeats: a node that is missing from the list may still run bursts.
 * That a process has ended is for the operating system to say.
 */
export interface NodeStore {
  /** Inserts or replaces the row of a node. */
  announce(node: RuntimeNode): Promise<void>;
  /** In order of their names. @param limit how many at most */
  list(limit: number): Promise<RuntimeNode[]>;
  /** Deletes the row of a node. */
  remove(name: string): Promise<void>;
  /** Deletes the rows of nodes whose last heartbeat is older. @returns how many */
  purge(before: Date): Promise<number>;
  /**
   * Nodes whose process is, or was, on that machine, those with the latest heartbeat first; without those whose row was written by a
   * node that does not know of processes. @param limit how many at most
   */
  findOn(machine: string, limit: number): Promise<NodeOfProcess[]>;
  /**
   * Ends the claims of a node whose process has ended, as if their time were over: on messages, with the head start of those that it
   * has written, on due bookmarks and on batches of bulk plans. Claims of others stay, as do those on messages and batches with an
   * earlier attempt, and rows that another transaction works on are left to it.
   * @returns undefined, with nothing changed, when the row of the node does not name that process any more
   */
  endClaims(node: NodeOfProcess, time: StoreTime): Promise<EndedClaims | undefined>;
  /** Takes the process out of the row, if it is still that one: nothing of it is left to take over. */
  forgetProcess(node: NodeOfProcess): Promise<void>;
}
