/** Instances of one version that wait at one activity. */
export interface NodeStanding {
  /** Id of the version. */
  readonly definitionVersionId: string;
  /** Where in the definition. Undefined: the bookmark was stored by an older version, or the id is too long for its column. */
  readonly activityNodeId: string | undefined;
  /** How many instances wait there. */
  readonly instances: number;
  /** When the first of them began to wait. */
  readonly since: Date;
}

/** The running instances of one version. */
export interface VersionStanding {
  /** Id of the version. */
  readonly definitionVersionId: string;
  /** Its number. */
  readonly version: number;
  /** How many of its instances have the status `Running`. */
  readonly running: number;
}

/** Where the running instances of a definition wait. */
export interface DefinitionStanding {
  /** Versions with running instances. */
  readonly versions: readonly VersionStanding[];
  /** The activities at which they wait. */
  readonly nodes: readonly NodeStanding[];
  /** If false, the limit was reached, so there may be more instances than were counted. */
  readonly isComplete: boolean;
}

/** Faulted instances of one definition. */
export interface DefinitionFailures {
  /** Id of the definition. */
  readonly definitionId: string;
  /** How many of its instances are faulted. */
  readonly instances: number;
  /** When the newest of them was started. */
  readonly newestAt: Date;
}

/** Counts of one time slot. */
export interface ThroughputSlot {
  /** Start of the slot. */
  readonly from: Date;
  /** Instances that were created. */
  readonly started: number;
  /** Instances that ended without a fault; cancelled ones count here. */
  readonly finished: number;
  /** Instances that faulted. */
  readonly faulted: number;
}

/** Counts by time slot. */
export interface Throughput {
  /** Slots in which an instance started or ended, the oldest first. */
  readonly slots: readonly ThroughputSlot[];
  /** Instances before that time were not counted, because the limit was reached. */
  readonly countedFrom: Date;
}

/** How much work is waiting. Every count ends at the limit of the query. */
export interface Depths {
  /** Messages that are waiting or being served. */
  readonly outbox: number;
  /** Messages whose attempts all failed. */
  readonly outboxDeadLetters: number;
  /** When the oldest of the waiting messages was written. */
  readonly outboxOldestAt: Date | undefined;
  /** Stimuli that match no bookmark yet. */
  readonly queue: number;
  /** Stimuli that expired without a match. */
  readonly queueDeadLetters: number;
  /** Bookmarks that are due and not resumed yet. */
  readonly dueTimers: number;
  /** Triggers and schedules that have a due time. */
  readonly schedules: number;
  /** When the next of them is due. */
  readonly nextScheduleAt: Date | undefined;
  /** Tasks for people that are not completed. */
  readonly openTasks: number;
  /** Sequence number of the last event of a task: it differs when a task was claimed, commented on or ended. */
  readonly lastTaskChange: string | undefined;
}

/** Counts for operators. Every query costs the same with a thousand instances as with a million. */
export interface StatisticsStore {
  /** Where the running instances of a definition wait, for all its versions. @param atMost instances to read */
  standing(definitionId: string, atMost: number): Promise<DefinitionStanding>;
  /**
   * Definitions with the most faulted instances, among the newest ones.
   * @param limit definitions
   * @param atMost instances to read
   */
  failures(limit: number, atMost: number): Promise<readonly DefinitionFailures[]>;
  /**
   * How many instances started and ended, in slots of `slotMs`.
   * @param atMost started and ended instances to read each, the newest first
   */
  throughput(from: Date, slotMs: number, atMost: number): Promise<Throughput>;
  /** How much work is waiting. @param now by the clock of the node @param atMost where each count ends */
  depths(now: Date, atMost: number): Promise<Depths>;
}
