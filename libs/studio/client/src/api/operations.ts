import { queryOptions } from '@tanstack/react-query';
import { get, part } from './request.js';

/** A process that runs workflows of this database. */
export interface RuntimeNode {
  readonly name: string;
  readonly version: string;
  /** Of Node.js. */
  readonly platform: string;
  readonly startedAt: string;
  readonly seenAt: string;
  readonly state: 'Running' | 'Paused' | 'Draining' | 'Lost';
  readonly activeBursts: number;
  /** The one that answers. */
  readonly isThis: boolean;
}

export interface ThroughputSlot {
  readonly from: string;
  readonly started: number;
  readonly finished: number;
  readonly faulted: number;
}

export interface Throughput {
  readonly slotMs: number;
  /** Before that nothing was counted. */
  readonly countedFrom: string;
  /** Those in which something happened. */
  readonly slots: readonly ThroughputSlot[];
}

export interface DefinitionFailures {
  readonly definitionId: string;
  readonly instances: number;
  readonly newestAt: string;
}

/** Counting stops at `MOST_COUNTED`. */
export interface Depths {
  readonly outbox: number;
  readonly outboxDeadLetters: number;
  readonly outboxOldestAt?: string;
  readonly queue: number;
  readonly queueDeadLetters: number;
  readonly dueTimers: number;
  readonly schedules: number;
  readonly nextScheduleAt?: string;
  readonly openTasks: number;
}

export const MOST_COUNTED = 10_000;

export interface Overview {
  readonly at: string;
  readonly throughput: Throughput;
  readonly failures: readonly DefinitionFailures[];
  readonly depths: Depths;
  readonly nodes: readonly RuntimeNode[];
}

/** What stands at a node of a definition. */
export interface NodeHeat {
  /** Absent: the place is not known. */
  readonly activityNodeId?: string;
  readonly waiting: number;
  readonly waitingSince?: string;
  readonly faulted: number;
  readonly newestFaultAt?: string;
}

export interface VersionHeat {
  readonly definitionVersionId: string;
  readonly version: number;
  readonly running: number;
  readonly faulted: number;
  readonly nodes: readonly NodeHeat[];
}

export interface Standing {
  readonly versions: readonly VersionHeat[];
  readonly isWaitingComplete: boolean;
  readonly isFaultedComplete: boolean;
}

export const operationsKey = ['operations'] as const;

export const overviewQuery = () =>
  queryOptions({
    queryKey: [...operationsKey, 'overview'],
    queryFn: ({ signal }) => get<Overview>('operations/overview', { signal }),
  });

/** Where in a definition its instances stand now. */
export const standingQuery = (definitionId: string) =>
  queryOptions({
    queryKey: [...operationsKey, 'standing', definitionId],
    queryFn: ({ signal }) => get<Standing>(`operations/standing/${part(definitionId)}`, { signal }),
  });
