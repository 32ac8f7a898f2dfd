import type { ActivityStatus, WorkflowStatus, WorkflowSubStatus } from '@waymark/core';
import type { TimestampFilter } from './instance-store.js';

/** All given members must hold for one execution of an activity. */
export interface AlterationActivityFilter {
  /** Of the activity in the definition. */
  readonly activityId?: string | undefined;
  /** Of the execution. */
  readonly activityInstanceId?: string | undefined;
  /** The activity with its way from the root. */
  readonly nodeId?: string | undefined;
  /** Of the activity. */
  readonly name?: string | undefined;
  /** Of the execution. */
  readonly status?: ActivityStatus | undefined;
}

/**
 * Selects the instances to alter: all given members must hold. An empty list of ids, names or statuses selects nothing, as in Elsa;
 * of `timestampFilters` and `activityFilters`, it sets no condition.
 */
export interface AlterationFilter {
  /** Ids of instances. */
  readonly workflowInstanceIds?: readonly string[] | undefined;
  /** One of these correlation ids. */
  readonly correlationIds?: readonly string[] | undefined;
  /** One of these names. */
  readonly names?: readonly string[] | undefined;
  /** A part of the name, an id or the correlation id. */
  readonly searchTerm?: string | undefined;
  /** When they were created, updated or finished. */
  readonly timestampFilters?: readonly TimestampFilter[] | undefined;
  /** Only those of these definitions, in any version. */
  readonly definitionIds?: readonly string[] | undefined;
  /** Only those of these versions. */
  readonly definitionVersionIds?: readonly string[] | undefined;
  /** If true, only those with incidents; false: only those without. */
  readonly hasIncidents?: boolean | undefined;
  /** Only those with one of these statuses. */
  readonly statuses?: readonly WorkflowStatus[] | undefined;
  /** Only those with one of these sub-statuses. */
  readonly subStatuses?: readonly WorkflowSubStatus[] | undefined;
  /** Each of them must hold for some execution of the instance. One without any condition is ignored. */
  readonly activityFilters?: readonly AlterationActivityFilter[] | undefined;
  /** Without any condition nothing is selected, unless this says otherwise. @default false */
  readonly emptyFilterSelectsAll?: boolean | undefined;
  /** Instances of the system's own workflows, or the others. @default false */
  readonly isSystem?: boolean | undefined;
}

const LISTS = [
  'workflowInstanceIds',
  'correlationIds',
  'names',
  'definitionIds',
  'definitionVersionIds',
  'statuses',
  'subStatuses',
] as const satisfies readonly (keyof AlterationFilter)[];

/** Whether one of the lists allows no value at all. A caller that has nothing to name must not get everything else instead. */
export const selectsNothing = (filter: AlterationFilter): boolean => LISTS.some((name) => filter[name]?.length === 0);

/** As ids of instances: no instance has it. */
const NOBODY: readonly string[] = [''];

/** The filter in a form that a node of the build before, which takes an empty list for no condition, does not read as a wider one. */
export const readableBefore = (filter: AlterationFilter): AlterationFilter =>
  selectsNothing(filter) ? { ...filter, workflowInstanceIds: NOBODY } : filter;
