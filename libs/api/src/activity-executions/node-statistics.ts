import type { ActivityExecutionRecord } from '@waymark/core';
import { executionRank } from '@waymark/runtime/adapter';
import { bag } from './record-answers.js';

interface Counts {
  readonly activityId: string;
  readonly activityNodeId: string;
  startedCount: number;
  completedCount: number;
  canceledCount: number;
  durationMs: number;
  isBlocked: boolean;
  isFaulted: boolean;
  aggregateFaultCount: number;
  firstRank: number;
  lastRank: number;
  metadata: object;
}

/** As clients of Elsa read it. */
export interface NodeStatistic {
  readonly activityId: string;
  readonly activityNodeId: string;
  readonly startedCount: number;
  readonly completedCount: number;
  readonly uncompletedCount: number;
  /** Those of the completed ones that were cancelled; not in Elsa. */
  readonly canceledCount: number;
  /** Of all completed executions together; not in Elsa. */
  readonly durationMs: number;
  readonly isBlocked: boolean;
  readonly isFaulted: boolean;
  readonly aggregateFaultCount: number;
  readonly metadata: object;
}

/** Totals for each node of an instance over all its executions: adds up the latest record of each, in any order. */
export class NodeStatistics {
  private readonly byNode = new Map<string, Counts>();

  constructor(private readonly workflowInstanceId: string) {}

  add(record: ActivityExecutionRecord): void {
    const rank = executionRank(this.workflowInstanceId, record);
    const counts = this.countsOf(record, rank);
    const { startedAt, completedAt } = record;
    const isCompleted = completedAt !== undefined;
    counts.startedCount++;
    if (isCompleted) {
      counts.completedCount++;
      if (record.status === 'Canceled') counts.canceledCount++;
      // The times may come from the clocks of two nodes, so that the difference may be negative.
      counts.durationMs += Math.max(0, completedAt.getTime() - startedAt.getTime());
    }
    counts.isBlocked ||= record.hasBookmarks && !isCompleted;
    counts.isFaulted ||= record.status === 'Faulted';
    counts.aggregateFaultCount += record.aggregateFaultCount;
    counts.firstRank = Math.min(counts.firstRank, rank);
    if (rank < counts.lastRank) return;
    counts.lastRank = rank;
    counts.metadata = record.metadata;
  }

  /** In the order in which the nodes were reached first. */
  answer(): NodeStatistic[] {
    return [...this.byNode.values()]
      .sort((left, right) => left.firstRank - right.firstRank)
      .map(({ firstRank: _first, lastRank: _last, metadata, ...counts }) => ({
        activityId: counts.activityId,
        activityNodeId: counts.activityNodeId,
        startedCount: counts.startedCount,
        completedCount: counts.completedCount,
        uncompletedCount: counts.startedCount - counts.completedCount,
        canceledCount: counts.canceledCount,
        durationMs: counts.durationMs,
        isBlocked: counts.isBlocked,
        isFaulted: counts.isFaulted,
        aggregateFaultCount: counts.aggregateFaultCount,
        metadata: bag(metadata),
      }));
  }

  private countsOf({ activityId, activityNodeId, metadata }: ActivityExecutionRecord, rank: number): Counts {
    const known = this.byNode.get(activityNodeId);
    if (known) return known;
    const counts: Counts = {
      activityId,
      activityNodeId,
      startedCount: 0,
      completedCount: 0,
      canceledCount: 0,
      durationMs: 0,
      isBlocked: false,
      isFaulted: false,
      aggregateFaultCount: 0,
      firstRank: rank,
      lastRank: rank,
      metadata,
    };
    this.byNode.set(activityNodeId, counts);
    return counts;
  }
}
