import { Injectable } from '@nestjs/common';
import type { ActivityExecutionRecord, ActivityStatus, WorkflowStatus, WorkflowSubStatus } from '@waymark/core';
import type { TimestampFilter } from '../persistence/instance-store.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';

/** All given members must hold for one execution of an activity. */
export interface AlterationActivityFilter {
  readonly activityId?: string | undefined;
  readonly activityInstanceId?: string | undefined;
  readonly nodeId?: string | undefined;
  readonly name?: string | undefined;
  readonly status?: ActivityStatus | undefined;
}

/** Selects the instances to alter: all given members must hold; an empty list is no condition. */
export interface AlterationFilter {
  readonly workflowInstanceIds?: readonly string[] | undefined;
  readonly correlationIds?: readonly string[] | undefined;
  readonly names?: readonly string[] | undefined;
  readonly searchTerm?: string | undefined;
  readonly timestampFilters?: readonly TimestampFilter[] | undefined;
  readonly definitionIds?: readonly string[] | undefined;
  readonly definitionVersionIds?: readonly string[] | undefined;
  readonly hasIncidents?: boolean | undefined;
  readonly statuses?: readonly WorkflowStatus[] | undefined;
  readonly subStatuses?: readonly WorkflowSubStatus[] | undefined;
  /** One of them must hold for some execution of the instance. */
  readonly activityFilters?: readonly AlterationActivityFilter[] | undefined;
  /** Without any condition nothing is selected, unless this says otherwise. @default false */
  readonly emptyFilterSelectsAll?: boolean | undefined;
  /** @default false */
  readonly isSystem?: boolean | undefined;
}

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
