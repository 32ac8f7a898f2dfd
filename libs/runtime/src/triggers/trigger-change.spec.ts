import { expect, it } from '@jest/globals';
import type { StoredTrigger } from '../persistence/records.js';
import { triggerChange } from './trigger-indexer.js';

const timer = (id: string, activityId: string): StoredTrigger => ({
  id,
  workflowDefinitionId: 'w',
  workflowDefinitionVersionId: 'w1',
  name: 'Elsa.Timer',
  activityId,
  hash: id,
  payload: { id },
  dueAt: new Date('2099-01-01T00:00:00Z'),
});

it.each([
  ['of the same name', timer('new', 'T')],
  ['that is named by its place now', timer('new', 'P:A:T')],
  ['of another name', timer('new', 'U')],
  ['of another kind', { ...timer('new', 'U'), name: 'Elsa.Cron' }],
])('W4: a timer is not replaced by one %s if it has been fired meanwhile', (_, added) => {
  const removed = [timer('old', 'T'), { ...timer('event', 'E'), name: 'Elsa.Event', dueAt: undefined }];
  const { unfired } = triggerChange({ definitionId: 'w', added: [added], removed, unchanged: [] });
  expect(unfired.map(({ id }) => id)).toEqual(['old']);
});

it('a timer goes, fired meanwhile or not, where nothing that is due takes its place', () => {
  const added = [{ ...timer('event', 'E'), name: 'Elsa.Event', dueAt: undefined }];
  const { unfired } = triggerChange({ definitionId: 'w', added, removed: [timer('old', 'T')], unchanged: [] });
  expect(unfired).toEqual([]);
});
