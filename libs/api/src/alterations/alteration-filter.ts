import { ActivityStatus } from '@waymark/core';
import type { AlterationFilter } from '@waymark/runtime';
import { InvalidRequestError } from '../answers/api-errors.js';
import { statusNames, subStatusNames } from '../instances/instance-filters.js';
import { timestampFilters } from '../instances/time-filters.js';
import { shaped, shapeOf } from '../requests/reader-schemas.js';
import * as read from '../requests/readers.js';

const activityStatuses = Object.values(ActivityStatus);

const activityFilter = read.members({
  activityId: read.name,
  activityInstanceId: read.name,
  nodeId: read.name,
  name: read.name,
  status: read.oneOf(activityStatuses),
});

const MOST_ACTIVITIES = 1000;

const few = <T>(most: number, reader: read.Reader<T[] | undefined>): read.Reader<T[] | undefined> =>
  shaped(shapeOf(reader), (value: unknown, path: string) => {
    const all = reader(value, path);
    if (!all || all.length <= most) return all;
    throw InvalidRequestError.at(path, `'${path}' must have ${most} members or fewer, but it has ${all.length}.`);
  });

export const readAlterationFilter: read.Reader<AlterationFilter> = read.members({
  workflowInstanceIds: read.names,
  correlationIds: read.names,
  names: read.names,
  searchTerm: read.searchTerm,
  timestampFilters,
  definitionIds: read.names,
  definitionVersionIds: read.names,
  hasIncidents: read.flag,
  statuses: read.list(read.oneOf(statusNames)),
  subStatuses: read.list(read.oneOf(subStatusNames)),
  activityFilters: few(MOST_ACTIVITIES, read.list(activityFilter)),
  emptyFilterSelectsAll: read.withDefault(read.flag, false),
  isSystem: read.withDefault(read.flag, false),
});
