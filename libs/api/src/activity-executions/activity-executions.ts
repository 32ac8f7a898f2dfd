import { Injectable } from '@nestjs/common';
import type { ActivityExecutionRecord } from '@waymark/core';
import { WorkflowPersistence } from '@waymark/runtime';
import { ExecutionSet, JournalScan, type Page } from '@waymark/runtime/adapter';
import { endedWithInstance, endingOf } from './ended-executions.js';
import { type NodeStatistic, NodeStatistics } from './node-statistics.js';

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

/** The id of an execution is that of its instance, a dash, and a number. */
const instanceOf = (executionId: string): string => executionId.slice(0, Math.max(0, executionId.lastIndexOf('-')));

/**
 * Finds records of activity executions. Journals are read part by part, so the memory needed does not depend on how many executions
 * an instance has had. Large values are references, which `JournalValues` resolves.
 */
@Injectable()
export class ActivityExecutions {
  constructor(private readonly persistence: WorkflowPersistence) {}

  /**
   * In the order in which they were started.
   * @param page default: all of them
   * @param ended which open executions of a faulted instance are shown as ended: see `endedWithInstance`
   */
  async list(
    workflowInstanceId: string,
    filter: RecordFilter = {},
    page: Page = { skip: 0, take: Infinity },
    ended: 'root' | 'all' = 'root',
  ): Promise<{ readonly items: readonly ActivityExecutionRecord[]; readonly totalCount: number }> {
    const scan = await JournalScan.of(this.persistence.journal, workflowInstanceId);
    const matching = await this.matching(scan, workflowInstanceId, filter, ended);
    const ids = matching.slice(page.skip, page.take);
    const records = await scan.wholeRecords(ids);
    const items = ids.map((id) => records.get(id)!);
    return {
      items: await endedWithInstance(this.persistence, workflowInstanceId, items, ended),
      totalCount: matching.size,
    };
  }

  async count(workflowInstanceId: string, filter: RecordFilter): Promise<number> {
    const scan = await JournalScan.of(this.persistence.journal, workflowInstanceId);
    return (await this.matching(scan, workflowInstanceId, filter, 'root')).size;
  }

  /** Totals for nodes of an instance, over all their executions. @param nodeIds default: all nodes that were executed */
  async statistics(workflowInstanceId: string, nodeIds: readonly string[] | undefined): Promise<NodeStatistic[]> {
    const wanted = nodeIds && new Set(nodeIds);
    const statistics = new NodeStatistics(workflowInstanceId);
    const scan = await JournalScan.of(this.persistence.journal, workflowInstanceId);
    for await (const records of scan.latestRecords())
      for (const record of records) if (!wanted || wanted.has(record.activityNodeId)) statistics.add(record);
    return statistics.answer();
  }

  async find(id: string): Promise<FoundRecord | undefined> {
    const workflowInstanceId = instanceOf(id);
    if (workflowInstanceId === '') return undefined;
    const record = (await this.wholeRecords(workflowInstanceId, [id], 'all')).get(id);
    return record && { workflowInstanceId, record };
  }

  async wholeRecords(
    workflowInstanceId: string,
    ids: readonly string[],
    which: 'root' | 'all' = 'root',
  ): Promise<ReadonlyMap<string, ActivityExecutionRecord>> {
    const records = await (await JournalScan.of(this.persistence.journal, workflowInstanceId)).wholeRecords(ids);
    const ended = await endedWithInstance(this.persistence, workflowInstanceId, [...records.values()], which);
    return new Map(ended.map((record) => [record.id, record]));
  }

  private async matching(
    scan: JournalScan,
    id: string,
    { activityId, activityNodeId, completed }: RecordFilter,
    which: 'root' | 'all',
  ): Promise<ExecutionSet> {
    // By what is shown, or a list of what has not completed would have items with `completedAt`.
    const shown = completed === undefined ? undefined : await endingOf(this.persistence, id, which);
    const matching = new ExecutionSet(id);
    for await (const records of scan.latestRecords())
      for (const r of records)
        if (
          (activityId === undefined || r.activityId === activityId) &&
          (activityNodeId === undefined || r.activityNodeId === activityNodeId) &&
          (!shown || (shown(r).completedAt !== undefined) === completed)
        )
          matching.add(r);
    return matching;
  }
}
