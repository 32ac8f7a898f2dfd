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

/** Selects the instances to alter: all given members must hold; an empty list sets no condition. */
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
  /** One of them must hold for some execution of the instance. */
  readonly activityFilters?: readonly AlterationActivityFilter[] | undefined;
  /** Without any condition nothing is selected, unless this says otherwise. @default false */
  readonly emptyFilterSelectsAll?: boolean | undefined;
  /** Instances of the system's own workflows, or the others. @default false */
  readonly isSystem?: boolean | undefined;
}
