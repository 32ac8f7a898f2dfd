import { instanceRequest } from './instance-request.js';
import { instanceListSearch } from './instance-search.js';

describe('the list of instances', () => {
  it('asks for what its address says', () => {
    const search = instanceListSearch({
      q: '4711',
      workflow: 'leave',
      version: '2',
      status: ['Faulted', 'Suspended', 'Unheard'],
      incidents: 'yes',
      time: 'finished',
      from: '2026-01-01T00:00:00Z',
      to: '2026-01-02T00:00:00Z',
      sort: 'name',
      ascending: 'yes',
      page: '3',
    });
    expect(instanceRequest(search)).toEqual({
      searchTerm: '4711',
      definitionIds: ['leave'],
      version: 2,
      // In the order in which they are shown.
      subStatuses: ['Suspended', 'Faulted'],
      hasIncidents: true,
      timestampFilters: [
        { column: 'FinishedAt', operator: 'GreaterThanOrEqual', timestamp: '2026-01-01T00:00:00.000Z' },
        { column: 'FinishedAt', operator: 'LessThan', timestamp: '2026-01-02T00:00:00.000Z' },
      ],
      orderBy: 'Name',
      orderDirection: 'Ascending',
      page: 2,
      pageSize: 50,
    });
  });

  it('shows the newest first, and leaves out what makes no sense', () => {
    expect(
      instanceRequest(instanceListSearch({ version: 'two', from: 'yesterday', page: '-1', sort: 'colour' })),
    ).toEqual({
      orderBy: 'Created',
      orderDirection: 'Descending',
      page: 0,
      pageSize: 50,
    });
  });
});
