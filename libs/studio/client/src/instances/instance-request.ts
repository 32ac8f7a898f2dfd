import type { InstanceListRequest, TimestampFilter } from '../api/instances.js';
import type { InstanceListSearch } from './instance-search.js';

export const PAGE_SIZE = 50;

const COLUMNS = { created: 'CreatedAt', updated: 'UpdatedAt', finished: 'FinishedAt' } as const;
const ORDERS = { created: 'Created', updated: 'UpdatedAt', finished: 'Finished', name: 'Name' } as const;

/** What the API is asked for, of what the address says. */
export function instanceRequest(search: InstanceListSearch): InstanceListRequest {
  const {
    q,
    workflow,
    version,
    status,
    correlation,
    parent,
    incidents,
    sort = 'created',
    ascending,
    page = 1,
  } = search;
  const timestampFilters = timestamps(search);
  return {
    ...(q === undefined ? {} : { searchTerm: q }),
    ...(workflow === undefined ? {} : { definitionIds: [workflow] }),
    ...(Number.isInteger(Number(version ?? Number.NaN)) ? { version: Number(version) } : {}),
    ...(status === undefined ? {} : { subStatuses: status }),
    ...(correlation === undefined ? {} : { correlationId: correlation }),
    ...(parent === undefined ? {} : { parentWorkflowInstanceIds: [parent] }),
    ...(incidents === undefined ? {} : { hasIncidents: incidents === 'yes' }),
    ...(timestampFilters.length > 0 ? { timestampFilters } : {}),
    orderBy: ORDERS[sort],
    orderDirection: ascending === 'yes' ? 'Ascending' : 'Descending',
    page: page - 1,
    pageSize: PAGE_SIZE,
  };
}

/** Times of the address are moments; one without a zone is of the reader's. */
function timestamps({ time = 'created', from, to }: InstanceListSearch): TimestampFilter[] {
  const column = COLUMNS[time];
  const at = (text: string | undefined): string[] => {
    const date = new Date(text ?? Number.NaN);
    return Number.isNaN(date.getTime()) ? [] : [date.toISOString()];
  };
  return [
    ...at(from).map((timestamp) => ({ column, operator: 'GreaterThanOrEqual' as const, timestamp })),
    // Of midnight, the other operator would mean the whole day.
    ...at(to).map((timestamp) => ({ column, operator: 'LessThan' as const, timestamp })),
  ];
}
