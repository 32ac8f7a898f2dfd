import { listOf, oneOf, ordinalOf, pageOf, textOf } from '../app/search-params.js';
import type { SubStatus } from '../parts/status.js';

export const subStatuses: readonly SubStatus[] = [
  'Executing',
  'Suspended',
  'Faulted',
  'Finished',
  'Cancelled',
  'Interrupted',
  'Pending',
];
export const timeColumns = ['created', 'updated', 'finished'] as const;
export const instanceOrders = ['created', 'updated', 'finished', 'name'] as const;

/** What the address of the list of instances says. */
export interface InstanceListSearch {
  readonly q?: string | undefined;
  readonly workflow?: string | undefined;
  readonly version?: string | undefined;
  readonly status?: readonly SubStatus[] | undefined;
  readonly correlation?: string | undefined;
  /** Children of this instance only. */
  readonly parent?: string | undefined;
  readonly incidents?: 'yes' | 'no' | undefined;
  /** Which of the times `from` and `to` are about. */
  readonly time?: (typeof timeColumns)[number] | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly sort?: (typeof instanceOrders)[number] | undefined;
  readonly ascending?: 'yes' | undefined;
  /** From 1. */
  readonly page?: number | undefined;
}

export const instanceListSearch = (search: Record<string, unknown>): InstanceListSearch => ({
  q: textOf(search.q),
  workflow: textOf(search.workflow),
  version: textOf(search.version),
  status: listOf(search.status, subStatuses),
  correlation: textOf(search.correlation),
  parent: textOf(search.parent),
  incidents: oneOf(search.incidents, ['yes', 'no']),
  time: oneOf(search.time, timeColumns),
  from: textOf(search.from),
  to: textOf(search.to),
  sort: oneOf(search.sort, instanceOrders),
  ascending: oneOf(search.ascending, ['yes']),
  page: pageOf(search.page),
});

export const inspectorTabs = ['overview', 'variables', 'waiting', 'family'] as const;
export type InspectorTab = (typeof inspectorTabs)[number];

/** What the address of one instance says. */
export interface InstanceSearch {
  readonly tab?: InspectorTab | undefined;
  /** The node that is looked at. */
  readonly node?: string | undefined;
  /** Replay: as it was after so many entries of the journal, from 1. */
  readonly step?: number | undefined;
}

export const instanceSearch = (search: Record<string, unknown>): InstanceSearch => ({
  tab: oneOf(search.tab, inspectorTabs),
  node: textOf(search.node),
  step: ordinalOf(search.step),
});
