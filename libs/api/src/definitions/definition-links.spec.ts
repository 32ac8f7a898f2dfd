import { definitionLinks, listLinks } from './definition-links.js';

describe('links', () => {
  it('links of a list are those of the reference', () => {
    expect(listLinks(true)).toEqual([
      { href: '/workflow-definitions', rel: 'self', method: 'GET' },
      { href: '/workflow-definitions/validation/is-name-unique', rel: 'is-name-unique', method: 'GET' },
      { href: '/workflow-definitions/query/count', rel: 'count', method: 'GET' },
      { href: '/workflow-definitions/many-by-id', rel: 'many-by-id', method: 'GET' },
      {
        href: '/bulk-actions/delete/workflow-definitions/by-definition-id',
        rel: 'bulk-delete-by-definition-id',
        method: 'POST',
      },
      { href: '/bulk-actions/delete/workflow-definitions/by-id', rel: 'bulk-delete-by-id', method: 'POST' },
      { href: '/bulk-actions/publish/workflow-definitions/by-definition-ids', rel: 'bulk-publish', method: 'POST' },
      { href: '/bulk-actions/retract/workflow-definitions/by-definition-ids', rel: 'bulk-retract', method: 'POST' },
      { href: '/workflow-definitions/import', rel: 'import', method: 'POST' },
      { href: '/workflow-definitions/import-files', rel: 'import-files', method: 'POST' },
      { href: '/workflow-definitions', rel: 'create', method: 'POST' },
    ]);
  });

  it('links of a definition are those of the reference, in its order', () => {
    expect(definitionLinks('a b', true).map((l) => `${l.method} ${l.rel} ${l.href}`)).toEqual([
      'GET self /workflow-definitions/a%20b',
      'GET self /workflow-definitions/by-definition-id/a%20b',
      'GET versions /workflow-definitions/a%20b/versions',
      'POST bulk-dispatch /workflow-definitions/a%20b/bulk-dispatch',
      'POST dispatch /workflow-definitions/a%20b/dispatch',
      'POST execute /workflow-definitions/a%20b/execute',
      'POST export /workflow-definitions/a%20b/export',
      'POST publish /workflow-definitions/a%20b/publish',
      'POST retract /workflow-definitions/a%20b/retract',
      'DELETE delete /workflow-definitions/a%20b',
      'PUT import /workflow-definitions/a%20b/import',
      'POST update-references /workflow-definitions/a%20b/update-references',
    ]);
  });

  it('links that are missing show clients that they may not write', () => {
    expect(listLinks(false).map((l) => l.rel)).not.toContain('bulk-publish');
    expect(definitionLinks('a', false).map((l) => l.rel)).not.toContain('publish');
  });
});
