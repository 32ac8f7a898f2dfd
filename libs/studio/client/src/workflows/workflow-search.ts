import { oneOf, pageOf, textOf } from '../app/search-params.js';

export const workflowStates = ['published', 'draft'] as const;
export const workflowOrigins = ['stored', 'code'] as const;
export const workflowOrders = ['name', 'created', 'version'] as const;
const dialogs = ['create', 'import'] as const;

/** What the address of the list of workflows says. */
export interface WorkflowListSearch {
  readonly q?: string | undefined;
  readonly state?: (typeof workflowStates)[number] | undefined;
  readonly origin?: (typeof workflowOrigins)[number] | undefined;
  readonly sort?: (typeof workflowOrders)[number] | undefined;
  readonly descending?: 'yes' | undefined;
  /** From 1. */
  readonly page?: number | undefined;
  readonly dialog?: (typeof dialogs)[number] | undefined;
}

export const workflowListSearch = (search: Record<string, unknown>): WorkflowListSearch => ({
  q: textOf(search.q),
  state: oneOf(search.state, workflowStates),
  origin: oneOf(search.origin, workflowOrigins),
  sort: oneOf(search.sort, workflowOrders),
  descending: oneOf(search.descending, ['yes']),
  page: pageOf(search.page),
  dialog: oneOf(search.dialog, dialogs),
});
