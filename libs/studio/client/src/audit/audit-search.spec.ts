import { expect, it } from '@jest/globals';
import { auditFilter, auditSearch } from './audit-search.js';

it('requests what the address selects, with local times, and ignores invalid values', () => {
  const search = auditSearch({ actor: 'ann', kind: 'User', outcome: 'Odd', from: '2026-03-01T10:00', to: 'never' });
  expect(auditFilter(search)).toEqual({
    actor: 'ann',
    actorKind: 'User',
    from: new Date(2026, 2, 1, 10).toISOString(),
  });
});
