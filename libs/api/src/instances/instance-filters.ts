import { WorkflowStatus, WorkflowSubStatus } from '@waymark/core';
import type { InstanceOrder } from '@waymark/runtime/adapter';
import type { InstanceFilter } from '@waymark/runtime';
import * as read from '../requests/readers.js';
import { timestampFilters } from './time-filters.js';

export const statusNames = [WorkflowStatus.Running, WorkflowStatus.Finished] as const;

/** In the order in which .NET numbers them. */
export const subStatusNames = [
  WorkflowSubStatus.Pending,
  WorkflowSubStatus.Executing,
  WorkflowSubStatus.Suspended,
  WorkflowSubStatus.Finished,
  WorkflowSubStatus.Cancelled,
  WorkflowSubStatus.Faulted,
  WorkflowSubStatus.Interrupted,
] as const;

export const instanceListRequest = read.members({
  page: read.pagingFrom(0),
  pageSize: read.pagingFrom(1),
  after: read.name,
  searchTerm: read.searchTerm,
  ids: read.names,
  definitionId: read.name,
  definitionIds: read.names,
  correlationId: read.name,
  parentWorkflowInstanceIds: read.names,
  name: read.searchTerm,
  version: read.columnInteger,
  hasIncidents: read.flag,
  isSystem: read.flag,
  status: read.oneOf(statusNames),
  statuses: read.ofRequest(read.list(read.oneOf(statusNames))),
  subStatus: read.oneOf(subStatusNames),
  subStatuses: read.ofRequest(read.list(read.oneOf(subStatusNames))),
  // `LastExecuted` is how Elsa's own client calls the second. It stands last: a number is a place in the list.
  orderBy: read.oneOf(['Created', 'UpdatedAt', 'Finished', 'Name', 'LastExecuted']),
  orderDirection: read.oneOf(['Ascending', 'Descending']),
  timestampFilters,
});
export type InstanceListRequest = read.ReadBy<typeof instanceListRequest>;

export function instanceFilter(request: InstanceListRequest): InstanceFilter {
  return {
    searchTerm: request.searchTerm,
    ids: fitting(undefined, request.ids),
    definitionIds: fitting(request.definitionId, request.definitionIds),
    correlationIds: fitting(request.correlationId),
    parentWorkflowInstanceIds: fitting(undefined, request.parentWorkflowInstanceIds),
    nameContains: request.name,
    version: request.version,
    hasIncidents: request.hasIncidents,
    isSystem: request.isSystem,
    statuses: fitting(request.status, request.statuses),
    subStatuses: fitting(request.subStatus, request.subStatuses),
    timestamps: request.timestampFilters?.length ? request.timestampFilters : undefined,
  };
}

/** The newest first, but names from A on. */
export function instanceOrder({ orderBy = 'Created', orderDirection }: InstanceListRequest): InstanceOrder {
  const by = orderBy === 'LastExecuted' ? 'UpdatedAt' : orderBy;
  return { by, direction: orderDirection ?? (by === 'Name' ? 'Ascending' : 'Descending') };
}

/**
 * What fits both one value and a list, where both are given: each condition must hold. An empty list sets no condition, as in the lists
 * of Elsa. @returns empty: nothing fits; `undefined`: everything does
 */
export function fitting<T>(one: T | undefined, many: readonly T[] = []): T[] | undefined {
  if (one === undefined) return many.length > 0 ? [...many] : undefined;
  return many.length === 0 || many.includes(one) ? [one] : [];
}

/** As `fitting`, for requests that delete or replay: a list that is given and empty fits nothing, as in Elsa. */
export function fittingNamed<T>(one: T | undefined, many: readonly T[] | undefined): T[] | undefined {
  return many?.length === 0 ? [] : fitting(one, many);
}
