import { Injectable } from '@nestjs/common';
import type { ActivityExecutionRecord } from '@waymark/core';
import { WorkflowPersistence } from '@waymark/runtime';
import { JournalScan, type Page } from '@waymark/runtime/adapter';
import { ActivityExecutions, type FoundRecord } from './activity-executions.js';

/** Longer than any real chain of callers: ends a circular one. */
const MAX_DEPTH = 10_000;

interface Place {
  readonly workflowInstanceId: string;
  readonly id: string;
}

/** The execution and instance that scheduled an execution. */
type Caller = Pick<ActivityExecutionRecord, 'schedulingActivityExecutionId' | 'schedulingWorkflowInstanceId'>;

/**
 * The chain of callers of an execution. A caller is usually recorded before what it calls, so each journal is read once, from its
 * end; only a part of it and the chain are in memory.
 */
@Injectable()
export class CallStacks {
  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly executions: ActivityExecutions,
  ) {}

  /**
   * A page of the chain, outermost first and the given one last, and how long the chain is.
   * @param acrossWorkflows also who started its instance
   */
  async find(
    { workflowInstanceId, record: { id } }: FoundRecord,
    acrossWorkflows: boolean,
    { skip, take }: Page,
  ): Promise<{ readonly items: readonly FoundRecord[]; readonly totalCount: number }> {
    const chain: Place[] = [];
    let next: Place | undefined = { workflowInstanceId, id };
    while (next && chain.length < MAX_DEPTH) next = await this.follow(next, chain, acrossWorkflows);
    chain.reverse();
    return { items: await this.load(chain.slice(skip, skip + take)), totalCount: chain.length };
  }

  /**
   * Adds an execution and its callers, as far as one look at their instance finds them.
   * @returns where to look for the next one. Undefined: there is none
   */
  private async follow(from: Place, chain: Place[], acrossWorkflows: boolean): Promise<Place | undefined> {
    const { workflowInstanceId } = from;
    const scan = await JournalScan.of(this.persistence.journal, workflowInstanceId);
    let { id } = from;
    for await (const records of scan.records()) {
      const callers = new Map<string, Caller>(records.map((record) => [record.id, record]));
      for (let found = callers.get(id); found && chain.length < MAX_DEPTH; found = callers.get(id)) {
        chain.push({ workflowInstanceId, id });
        const { schedulingActivityExecutionId: callerId, schedulingWorkflowInstanceId: caller } = found;
        if (callerId === undefined) return undefined;
        if (caller !== undefined && caller !== workflowInstanceId)
          return acrossWorkflows ? { workflowInstanceId: caller, id: callerId } : undefined;
        id = callerId;
      }
    }
    // The caller may have been recorded later than what it called, or not at all.
    return id === from.id ? undefined : { workflowInstanceId, id };
  }

  private async load(places: readonly Place[]): Promise<FoundRecord[]> {
    const idsOf = new Map<string, string[]>();
    for (const { workflowInstanceId, id } of places)
      idsOf.set(workflowInstanceId, [...(idsOf.get(workflowInstanceId) ?? []), id]);
    const records = new Map<string, ActivityExecutionRecord>();
    for (const [workflowInstanceId, ids] of idsOf)
      for (const [id, record] of await this.executions.wholeRecords(workflowInstanceId, ids)) records.set(id, record);
    return places.flatMap(({ workflowInstanceId, id }) => {
      const record = records.get(id);
      return record ? [{ workflowInstanceId, record }] : [];
    });
  }
}
