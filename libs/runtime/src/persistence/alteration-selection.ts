import type { ActivityStatus, WorkflowStatus, WorkflowSubStatus } from '@waymark/core';
import type { TimestampFilter } from './instance-store.js';

/** All given members must hold for one execution of an activity. */
export interface AlterationActivityFilter {
  readonly activityId?: string | undefined;
  readonly activityInstanceId?: string | undefined;
  readonly nodeId?: string | undefined;
  readonly name?: string | undefined;
  readonly status?: ActivityStatus | undefined;
}

/** Selects the instances to alter: all given members must hold; an empty list sets no condition. */
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
