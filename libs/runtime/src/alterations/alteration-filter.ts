import { Injectable } from '@nestjs/common';
import type { ActivityExecutionRecord } from '@waymark/core';
import type { AlterationActivityFilter, AlterationFilter } from '../persistence/alteration-selection.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';

/** Finds the instances that a filter selects. */
@Injectable()
export class AlterationTargets {
  constructor(private readonly persistence: WorkflowPersistence) {}

  async find(filter: AlterationFilter): Promise<string[]> {
    const { emptyFilterSelectsAll, isSystem = false, activityFilters, searchTerm, hasIncidents, ...lists } = filter;
    const conditions = [activityFilters, searchTerm, hasIncidents, ...Object.values(lists)];
    const isEmpty = conditions.every((value) => value === undefined || (Array.isArray(value) && value.length === 0));
    if (isEmpty && !emptyFilterSelectsAll) return [];
    const ids = await this.persistence.instances.findIds({
      ids: unlessEmpty(filter.workflowInstanceIds),
      correlationIds: unlessEmpty(filter.correlationIds),
      names: unlessEmpty(filter.names),
      searchTerm,
      timestamps: unlessEmpty(filter.timestampFilters),
      definitionIds: unlessEmpty(filter.definitionIds),
      definitionVersionIds: unlessEmpty(filter.definitionVersionIds),
      hasIncidents,
      isSystem,
      statuses: unlessEmpty(filter.statuses),
      subStatuses: unlessEmpty(filter.subStatuses),
    });
    return activityFilters?.length ? this.withActivities(ids, activityFilters) : ids;
  }

  private async withActivities(
    ids: readonly string[],
    filters: readonly AlterationActivityFilter[],
  ): Promise<string[]> {
    const found: string[] = [];
    for (const id of ids) {
      const records = await this.persistence.journal.readRecords(id, { valueBytes: 0 });
      if (records.some((record) => filters.some((f) => isSelected(record, f)))) found.push(id);
    }
    return found;
  }
}

function unlessEmpty<T>(list: readonly T[] | undefined): readonly T[] | undefined {
  return list?.length ? list : undefined;
}

function isSelected(record: ActivityExecutionRecord, filter: AlterationActivityFilter): boolean {
  const fits = (wanted: string | undefined, actual: string | undefined) => wanted === undefined || wanted === actual;
  return (
    fits(filter.activityId, record.activityId) &&
    fits(filter.activityInstanceId, record.id) &&
    fits(filter.nodeId, record.activityNodeId) &&
    fits(filter.name, record.activityName) &&
    fits(filter.status, record.status)
  );
}
