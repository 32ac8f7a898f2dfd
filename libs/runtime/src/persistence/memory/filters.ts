import type { VersionOptions, WorkflowDefinition } from '@waymark/core';
import type { DefinitionFilter } from '../definition-store.js';
import type { InstanceFilter, TimestampFilter } from '../instance-store.js';
import type { BookmarkFilter, TriggerFilter } from '../lookup-stores.js';
import type { QueueMatch } from '../message-stores.js';
import type { BookmarkQueueItem, LoadedInstance, StoredBookmark, StoredTrigger } from '../records.js';

/** Characters of a description that searches look at: it has no limit. */
const SEARCHED_DESCRIPTION = 4000;

function is<T>(wanted: T | undefined, value: T | undefined): boolean {
  return wanted === undefined || wanted === value;
}

function isOneOf<T>(wanted: readonly T[] | undefined, value: T | undefined): boolean {
  return wanted === undefined || (value !== undefined && wanted.includes(value));
}

function isContained(term: string | undefined, ...values: readonly (string | undefined)[]): boolean {
  if (term === undefined) return true;
  const wanted = term.toLowerCase();
  return values.some((value) => value?.toLowerCase().includes(wanted));
}

export function matchesDefinition(filter: DefinitionFilter, row: WorkflowDefinition): boolean {
  return (
    is(filter.id, row.id) &&
    isOneOf(filter.ids, row.id) &&
    is(filter.definitionId, row.definitionId) &&
    isOneOf(filter.definitionIds, row.definitionId) &&
    is(filter.name, row.name) &&
    is(filter.isSystem, row.isSystem) &&
    is(filter.isReadonly, row.isReadonly) &&
    is(filter.materializerName, row.materializerName) &&
    is(filter.usableAsActivity, row.options.usableAsActivity === true) &&
    (filter.versionOptions === undefined || matchesVersion(filter.versionOptions, row)) &&
    isContained(filter.searchTerm, row.id, row.definitionId, row.name, row.description?.slice(0, SEARCHED_DESCRIPTION))
  );
}

function matchesVersion(options: VersionOptions, row: WorkflowDefinition): boolean {
  switch (options) {
    case 'Latest':
      return row.isLatest;
    case 'Published':
      return row.isPublished;
    case 'LatestOrPublished':
      return row.isLatest || row.isPublished;
    case 'LatestAndPublished':
      return row.isLatest && row.isPublished;
    case 'Draft':
      return !row.isPublished;
    case 'AllVersions':
      return true;
    default:
      return row.version === options;
  }
}

export function matchesInstance(filter: InstanceFilter, row: LoadedInstance): boolean {
  return (
    isOneOf(filter.ids, row.id) &&
    isOneOf(filter.definitionIds, row.definitionId) &&
    !filter.exceptDefinitionIds?.includes(row.definitionId) &&
    isOneOf(filter.definitionVersionIds, row.definitionVersionId) &&
    is(filter.version, row.version) &&
    isOneOf(filter.parentWorkflowInstanceIds, row.parentWorkflowInstanceId) &&
    isOneOf(filter.correlationIds, row.correlationId) &&
    isOneOf(filter.names, row.name) &&
    isContained(filter.nameContains, row.name) &&
    isOneOf(filter.statuses, row.status) &&
    isOneOf(filter.subStatuses, row.subStatus) &&
    is(filter.hasIncidents, row.incidentCount > 0) &&
    is(filter.isSystem, row.isSystem) &&
    is(filter.isExecuting, row.isExecuting) &&
    isContained(filter.searchTerm, row.id, row.definitionId, row.definitionVersionId, row.correlationId, row.name) &&
    (filter.timestamps ?? []).every((timestamp) => matchesTimestamp(timestamp, row))
  );
}

function matchesTimestamp(filter: TimestampFilter, row: LoadedInstance): boolean {
  const columns = { CreatedAt: row.createdAt, UpdatedAt: row.updatedAt, FinishedAt: row.finishedAt };
  const value = columns[filter.column]?.getTime();
  const wanted = filter.timestamp.getTime();
  if (value === undefined) return filter.operator === 'IsNot';
  switch (filter.operator) {
    case 'Is':
      return value === wanted;
    case 'IsNot':
      return filter.until ? value < wanted || value >= filter.until.getTime() : value !== wanted;
    case 'LessThan':
      return value < wanted;
    case 'GreaterThan':
      return value > wanted;
    case 'LessThanOrEqual':
      return value <= wanted;
    case 'GreaterThanOrEqual':
      return value >= wanted;
  }
}

export function matchesBookmark(filter: BookmarkFilter, row: StoredBookmark): boolean {
  return (
    isOneOf(filter.ids, row.id) &&
    is(filter.hash, row.hash) &&
    isOneOf(filter.hashes, row.hash) &&
    isOneOf(filter.names, row.name) &&
    is(filter.workflowInstanceId, row.workflowInstanceId) &&
    isOneOf(filter.workflowInstanceIds, row.workflowInstanceId) &&
    is(filter.correlationId, row.correlationId) &&
    is(filter.activityInstanceId, row.activityInstanceId)
  );
}

export function matchesTrigger(filter: TriggerFilter, row: StoredTrigger): boolean {
  return (
    isOneOf(filter.ids, row.id) &&
    is(filter.hash, row.hash) &&
    isOneOf(filter.names, row.name) &&
    isOneOf(filter.workflowDefinitionIds, row.workflowDefinitionId) &&
    isOneOf(filter.workflowDefinitionVersionIds, row.workflowDefinitionVersionId) &&
    isOneOf(filter.exclusiveKeys, row.exclusiveKey)
  );
}

export function satisfies(match: QueueMatch, item: BookmarkQueueItem): boolean {
  return (
    is(item.bookmarkId, match.bookmarkId) &&
    is(item.stimulusHash, match.hash) &&
    is(item.activityTypeName, match.name) &&
    is(item.workflowInstanceId, match.workflowInstanceId) &&
    is(item.activityInstanceId, match.activityInstanceId) &&
    is(item.correlationId, match.correlationId)
  );
}
