import { WorkflowStatus, WorkflowSubStatus } from '@waymark/core';
import type { InstanceFilter, TimestampFilter } from '@waymark/runtime';
import { Conditions } from '../dialect/conditions.js';
import type { Dialect } from '../dialect/dialect.js';
import { time } from '../rows/column-values.js';

const TIMESTAMP_COLUMNS: Record<TimestampFilter['column'], string> = {
  CreatedAt: 'created_at',
  UpdatedAt: 'updated_at',
  FinishedAt: 'finished_at',
};

const OPERATORS: Record<Exclude<TimestampFilter['operator'], 'IsNot'>, string> = {
  Is: '=',
  LessThan: '<',
  GreaterThan: '>',
  LessThanOrEqual: '<=',
  GreaterThanOrEqual: '>=',
};

/** Columns in which a search looks for parts of texts. */
export const SEARCHED = ['id', 'definition_id', 'definition_version_id', 'correlation_id', 'name'];

const SELDOM = [WorkflowSubStatus.Cancelled, WorkflowSubStatus.Faulted, WorkflowSubStatus.Interrupted] as const;

const RUNNING = [WorkflowSubStatus.Pending, WorkflowSubStatus.Executing, WorkflowSubStatus.Suspended] as const;

/** Members of a filter that few instances match, and that have an index. */
const FEW = ['ids', 'parentWorkflowInstanceIds', 'correlationIds'] as const satisfies (keyof InstanceFilter)[];

/** Of few instances, which have an index of their own. Written out: SQLite takes it only for the same words. */
export const SELDOM_SUB_STATUS = `sub_status IN (${SELDOM.map((status) => `'${status}'`).join(', ')})`;

/**
 * Which rows a filter selects. Where something in it is of few instances, these are found by that: SQLite would rather read all that
 * run, for each child that is looked for.
 * @param hasFew such a condition follows. @default whether the filter has one
 */
export function instanceConditions(dialect: Dialect, filter: InstanceFilter, hasFew = isOfFew(filter)): Conditions {
  const shared = (column: string): string => (hasFew ? dialect.unindexed(column) : column);
  const conditions = new Conditions(dialect)
    .oneOf('id', filter.ids)
    .oneOf(shared('definition_id'), filter.definitionIds)
    .noneOf('definition_id', filter.exceptDefinitionIds)
    .oneOf('definition_version_id', filter.definitionVersionIds)
    .integer('version', filter.version)
    .oneOf('parent_instance_id', filter.parentWorkflowInstanceIds)
    .oneOf('correlation_id', filter.correlationIds)
    .oneOf('name', filter.names)
    .contains(['name'], filter.nameContains)
    .oneOf(shared('status'), filter.statuses)
    .oneOf(shared('sub_status'), filter.subStatuses)
    .flag('is_system', filter.isSystem)
    .flag(shared('is_executing'), filter.isExecuting)
    .contains(SEARCHED, filter.searchTerm);
  if (!hasFew) addIndexed(conditions, filter);
  if (filter.hasIncidents !== undefined)
    conditions.add(`${shared('incident_count')} ${filter.hasIncidents ? '>' : '='} 0`);
  for (const timestamp of filter.timestamps ?? []) addTimestamp(conditions, timestamp);
  return conditions;
}

/** Whether something in a filter is of few instances, and has an index. */
export const isOfFew = (filter: InstanceFilter): boolean => FEW.some((member) => filter[member] !== undefined);

/** Says nothing new; there are indexes of it. */
function addIndexed(conditions: Conditions, { subStatuses }: InstanceFilter): void {
  if (subStatuses?.every(isSeldom)) conditions.add(SELDOM_SUB_STATUS);
  else if (subStatuses?.every(isOfRunning)) conditions.equals('status', WorkflowStatus.Running);
}

function addTimestamp(conditions: Conditions, { column, operator, timestamp, until }: TimestampFilter): void {
  const name = TIMESTAMP_COLUMNS[column];
  const value = time(timestamp);
  // Not set is not that time either; SQL alone would say "unknown".
  if (operator === 'IsNot' && until)
    conditions.add(`(${name} IS NULL OR ${name} < ? OR ${name} >= ?)`, value, time(until));
  else if (operator === 'IsNot') conditions.add(`(${name} IS NULL OR ${name} <> ?)`, value);
  else conditions.add(`${name} ${OPERATORS[operator]} ?`, value);
}

function isOfRunning(status: WorkflowSubStatus): boolean {
  return RUNNING.some((running) => running === status);
}

function isSeldom(status: WorkflowSubStatus): boolean {
  return SELDOM.some((seldom) => seldom === status);
}
