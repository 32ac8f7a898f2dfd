import { Injectable } from '@nestjs/common';
import { ActivityStatus, type ActivityExecutionRecord } from '@waymark/core';
import { WorkflowPersistence } from '@waymark/runtime';
import { anyOf, statusNames, subStatusNames, timestampFilters } from '../instances/instance-filters.js';
import * as read from '../requests/readers.js';

const activityStatuses = Object.values(ActivityStatus);

const activityFilter = read.members({
  activityId: read.name,
  activityInstanceId: read.name,
  nodeId: read.name,
  name: read.name,
  status: read.oneOf(activityStatuses),
});
type ActivityFilter = read.ReadBy<typeof activityFilter>;

const conditions = {
  workflowInstanceIds: read.list(read.name),
  correlationIds: read.list(read.name),
  names: read.list(read.name),
  searchTerm: read.name,
  timestampFilters,
  definitionIds: read.list(read.name),
  definitionVersionIds: read.list(read.name),
  hasIncidents: read.flag,
  statuses: read.list(read.oneOf(statusNames)),
  subStatuses: read.list(read.oneOf(subStatusNames)),
  activityFilters: read.list(activityFilter),
};

export const readAlterationFilter = read.members({
  ...conditions,
  emptyFilterSelectsAll: read.withDefault(read.flag, false),
  isSystem: read.withDefault(read.flag, false),
});
export type AlterationFilter = read.ReadBy<typeof readAlterationFilter>;

/** Finds the instances that a filter selects. */
@Injectable()
export class AlterationTargets {
  constructor(private readonly persistence: WorkflowPersistence) {}

  async find(filter: AlterationFilter): Promise<string[]> {
    const isEmpty = Object.keys(conditions).every((name) => {
      const value = filter[name as keyof typeof conditions];
      return value === undefined || (Array.isArray(value) && value.length === 0);
    });
    if (isEmpty && !filter.emptyFilterSelectsAll) return [];
    const ids = await this.persistence.instances.findIds({
      ids: anyOf(undefined, filter.workflowInstanceIds),
      correlationIds: anyOf(undefined, filter.correlationIds),
      names: anyOf(undefined, filter.names),
      searchTerm: filter.searchTerm,
      timestamps: anyOf(undefined, filter.timestampFilters),
      definitionIds: anyOf(undefined, filter.definitionIds),
      definitionVersionIds: anyOf(undefined, filter.definitionVersionIds),
      hasIncidents: filter.hasIncidents,
      isSystem: filter.isSystem,
      statuses: anyOf(undefined, filter.statuses),
      subStatuses: anyOf(undefined, filter.subStatuses),
    });
    return filter.activityFilters?.length ? this.withActivities(ids, filter.activityFilters) : ids;
  }

  private async withActivities(ids: readonly string[], filters: readonly ActivityFilter[]): Promise<string[]> {
    const found: string[] = [];
    for (const id of ids) {
      const records = await this.persistence.journal.readRecords(id);
      if (records.some((record) => filters.some((f) => isSelected(record, f)))) found.push(id);
    }
    return found;
  }
}

function isSelected(record: ActivityExecutionRecord, filter: ActivityFilter): boolean {
  const fits = (wanted: string | undefined, actual: string | undefined) => wanted === undefined || wanted === actual;
  return (
    fits(filter.activityId, record.activityId) &&
    fits(filter.activityInstanceId, record.id) &&
    fits(filter.nodeId, record.activityNodeId) &&
    fits(filter.name, record.activityName) &&
    fits(filter.status, record.status)
  );
}
