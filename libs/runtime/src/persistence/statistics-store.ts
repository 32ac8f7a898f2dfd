/** Instances of one version that stand at one place, or that fail. */
export interface NodeStanding {
  /** Id of the version. */
  readonly definitionVersionId: string;
  /** Undefined: written by a node of an older version, or a name that is too long to be kept. */
  readonly activityNodeId: string | undefined;
  /** How many instances stand there. */
  readonly instances: number;
  /** Since when the first of them waits. */
  readonly since: Date;
}

/** The running instances of one version. */
export interface VersionStanding {
  /** Id of the version. */
  readonly definitionVersionId: string;
  /** Its number. */
  readonly version: number;
  /** How many of its instances run. */
  readonly running: number;
}

/** Where the running instances of a definition wait. */
export interface DefinitionStanding {
  /** Versions with running instances. */
  readonly versions: readonly VersionStanding[];
  /** The places where they wait. */
  readonly nodes: readonly NodeStanding[];
  /** False: there are more instances than were looked at. */
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

/** What happened in one stretch of time. */
export interface ThroughputSlot {
  /** When it begins. */
  readonly from: Date;
  /** Instances that were created. */
  readonly started: number;
  /** Instances that ended well. */
  readonly finished: number;
  /** Instances that faulted. */
  readonly faulted: number;
}

/** What happened, stretch by stretch. */
export interface Throughput {
  /** Stretches in which something happened, the oldest first. */
  readonly slots: readonly ThroughputSlot[];
  /** Before that nothing was counted: there was more than was to be read. */
  readonly countedFrom: Date;
}

/** What waits to be done. Counts end at the number that was asked for. */
export interface Depths {
  /** Messages that wait for their turn, or are being served. */
  readonly outbox: number;
  /** Messages that no attempt helped. */
  readonly outboxDeadLetters: number;
  /** When the one that waits longest was written. */
  readonly outboxOldestAt: Date | undefined;
  /** Stimuli that no instance has taken yet. */
  readonly queue: number;
  /** Stimuli that expired without an instance. */
  readonly queueDeadLetters: number;
  /** Timers of instances that are due, and not served. */
  readonly dueTimers: number;
  /** Triggers and schedules that have a time. */
  readonly schedules: number;
  /** When the next of them is due. */
  readonly nextScheduleAt: Date | undefined;
  /** Tasks for people that are not completed. */
  readonly openTasks: number;
  /** Changes with each claim, comment and end of a task. */
  readonly lastTaskChange: string | undefined;
}

/** What is to be known at one look. Every answer costs the same among a thousand instances as among a million. */
export interface StatisticsStore {
  /** Where the running instances of a definition wait, of all versions. @param atMost instances that are looked at */
  standing(definitionId: string, atMost: number): Promise<DefinitionStanding>;
  /** Definitions by how many of the newest faulted instances are theirs. @param atMost instances that are looked at */
  failures(limit: number, atMost: number): Promise<readonly DefinitionFailures[]>;
  /** How many instances began and ended, in stretches of `slotMs`. @param atMost of each that are read, the newest first */
  throughput(from: Date, slotMs: number, atMost: number): Promise<Throughput>;
  /** What waits to be done. @param now by the clock of the node @param atMost where each count ends */
  depths(now: Date, atMost: number): Promise<Depths>;
}
