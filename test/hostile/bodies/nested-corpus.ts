import { apiRequest, type HostileRequest } from './hostile-request.js';

// Definitions that are small, and large by what they use or where they stand.

const LEVELS = 40;
const use = (definitionId: string, id: string) => ({
  id,
  type: definitionId,
  version: 1,
  workflowDefinitionId: definitionId,
});
const imported = (definitionId: string, root: object, query = ''): HostileRequest =>
  apiRequest(`nested: import of ${definitionId}${query}`, `/workflow-definitions/import${query}`, () =>
    JSON.stringify({ definitionId, name: definitionId, options: { usableAsActivity: true }, root }),
  );
const sequence = (...activities: object[]) => ({ id: 'S', type: 'Elsa.Sequence', activities });
const named = (i: number): string => `Nested${i}`;
/** Each uses the one before it twice. Drafts are not looked into when they are saved. */
const drafts = Array.from({ length: LEVELS }, (_, i) =>
  imported(named(i), i === 0 ? sequence() : sequence(use(named(i - 1), 'A'), use(named(i - 1), 'B'))),
);
const last = sequence(use(named(LEVELS - 1), 'A'), use(named(LEVELS - 1), 'B'));
const afterDrafts = (request: HostileRequest): HostileRequest => ({ ...request, before: drafts });

const line = (i: number) => ({ id: `L${i}`, type: 'Elsa.WriteLine' });
const within = (levels: number, idLength: number, activities: object[]): object =>
  Array.from({ length: levels }).reduce<object>(
    (inner, _, i) => ({ ...sequence(inner), id: `${'i'.repeat(idLength)}${i}` }),
    sequence(...activities),
  );

export const nestedCorpus: readonly HostileRequest[] = [
  // Twice as long for each further level: a second for 13 of them, and then hours.
  afterDrafts(imported('NestedLast', last, '?publish=true')),
  afterDrafts(
    apiRequest('nested: validating what uses 40 levels', '/workflow-definitions/validate', () =>
      JSON.stringify({ model: { definitionId: 'NestedValidated', root: last } }),
    ),
  ),
  afterDrafts(
    apiRequest('nested: GET of 40 levels', `/workflow-definitions/by-definition-id/${named(LEVELS - 1)}`, () => '', {
      method: 'GET',
    }),
  ),
  // Each node id holds all ids around it: 8 MB of definition ended a host with a heap of 400 MB.
  imported('NestedLong', within(80, 100_000, [line(0)])),
  imported(
    'NestedWide',
    within(
      400,
      650,
      Array.from({ length: 9000 }, (_, i) => line(i)),
    ),
  ),
  apiRequest('nested: validating long ids', '/workflow-definitions/validate', () =>
    JSON.stringify({ model: { definitionId: 'NestedLong', root: within(60, 60_000, [line(0)]) } }),
  ),
];
