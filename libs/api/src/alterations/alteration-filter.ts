import { ActivityStatus } from '@waymark/core';
import type { AlterationFilter } from '@waymark/runtime';
import { statusNames, subStatusNames, timestampFilters } from '../instances/instance-filters.js';
import * as read from '../requests/readers.js';

const activityStatuses = Object.values(ActivityStatus);

const activityFilter = read.members({
  activityId: read.name,
  activityInstanceId: read.name,
  nodeId: read.name,
  name: read.name,
  status: read.oneOf(activityStatuses),
});

export const readAlterationFilter: read.Reader<AlterationFilter> = read.members({
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
  emptyFilterSelectsAll: read.withDefault(read.flag, false),
  isSystem: read.withDefault(read.flag, false),
});
