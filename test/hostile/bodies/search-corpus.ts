import { apiRequest, type HostileRequest } from './hostile-request.js';

// Terms that texts hold nearly, at each of their letters: LIKE of SQLite takes the product of both lengths, in the process of the host.

const MB = 1_000_000;
const described: HostileRequest = apiRequest('search: a description of 9 MB', '/workflow-definitions/import', () =>
  JSON.stringify({
    definitionId: 'described',
    name: 'a'.repeat(700),
    description: 'a'.repeat(9 * MB),
    root: { id: 'S', type: 'Elsa.Sequence', activities: [] },
  }),
);
const search = (name: string, path: string): HostileRequest => ({
  ...apiRequest(`search: ${name}`, path, () => '', { method: 'GET', type: {} }),
  before: [described],
});

/** 17 seconds for a thousand letters. */
export const searchCorpus: readonly HostileRequest[] = [16, 17, 1000, 8000].flatMap((length) => [
  search(`${length} letters`, `/workflow-definitions?searchTerm=${'a'.repeat(length - 1)}b`),
  search(`${length} letters, one beyond ASCII`, `/workflow-definitions?searchTerm=${'a'.repeat(length - 1)}%C5%BE`),
]);
