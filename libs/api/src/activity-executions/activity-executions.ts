import { Injectable } from '@nestjs/common';
import type { ActivityExecutionRecord } from '@waymark/core';
import { WorkflowPersistence } from '@waymark/runtime';

/** A record together with the instance it belongs to. */
export interface FoundRecord {
  readonly workflowInstanceId: string;
  readonly record: ActivityExecutionRecord;
}

export interface RecordFilter {
  readonly activityId?: string | undefined;
  readonly activityNodeId?: string | undefined;
  readonly completed?: boolean | undefined;
}

/** More callers than any real chain has: ends one that leads in a circle. */
const MAX_DEPTH = 10_000;

/**
 * Place of an execution in its instance: the journal keeps records as they are written, which is when they end. Not a
 * number for executions that were imported from elsewhere.
 */
const numberOf = (id: string): number =>
  id.includes('-') ? Number.parseInt(id.slice(id.lastIndexOf('-') + 1), 36) : NaN;

/** Finds records of activity executions. */
@Injectable()
export class ActivityExecutions {
  constructor(private readonly persistence: WorkflowPersistence) {}

  /** Large values are references: `JournalValues` shows them. */
  async list(workflowInstanceId: string, filter: RecordFilter = {}): Promise<ActivityExecutionRecord[]> {
    const { activityId, activityNodeId, completed } = filter;
    const found = (await this.persistence.journal.readRecords(workflowInstanceId, { valueBytes: 0 })).filter(
      (r) =>
        (activityId === undefined || r.activityId === activityId) &&
        (activityNodeId === undefined || r.activityNodeId === activityNodeId) &&
        (completed === undefined || (r.completedAt !== undefined) === completed),
    );
    return found.sort((a, b) => numberOf(a.id) - numberOf(b.id) || a.startedAt.getTime() - b.startedAt.getTime());
  }

  /** An id is that of the instance, a dash, and a number counted within it. */
  async find(id: string): Promise<FoundRecord | undefined> {
    const workflowInstanceId = id.slice(0, Math.max(0, id.lastIndexOf('-')));
    if (workflowInstanceId === '') return undefined;
    const record = (await this.list(workflowInstanceId)).find((r) => r.id === id);
    return record && { workflowInstanceId, record };
  }

  /** Who led to that execution, outermost first and itself last. @param acrossWorkflows also who started its instance */
  async callStack(last: FoundRecord, acrossWorkflows: boolean): Promise<FoundRecord[]> {
    const known = new Map<string, ReadonlyMap<string, ActivityExecutionRecord>>();
    const recordsOf = async (instanceId: string) => {
      const loaded = known.get(instanceId) ?? new Map((await this.list(instanceId)).map((r) => [r.id, r]));
      known.set(instanceId, loaded);
      return loaded;
    };
    const chain = [last];
    for (let current = last; chain.length < MAX_DEPTH; chain.unshift(current)) {
      const { schedulingActivityExecutionId: callerId, schedulingWorkflowInstanceId: callingInstance } = current.record;
      const isForeign = callingInstance !== undefined && callingInstance !== current.workflowInstanceId;
      if (callerId === undefined || (isForeign && !acrossWorkflows)) break;
      const workflowInstanceId = isForeign ? callingInstance : current.workflowInstanceId;
      const record = (await recordsOf(workflowInstanceId)).get(callerId);
      if (!record) break;
      current = { workflowInstanceId, record };
    }
    return chain;
  }
}
