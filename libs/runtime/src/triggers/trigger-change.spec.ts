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
  ['of the same name', 'T', 'T'],
  ['that is named by its place now', 'T', 'P:A:T'],
  ['that was named by its place', 'P:A:T', 'T'],
])('W4: a timer is not replaced by one %s if it has been fired meanwhile', (_, before, after) => {
  const removed = [timer('old', before), timer('gone', 'Other')];
  const { unfired } = triggerChange({ definitionId: 'w', added: [timer('new', after)], removed, unchanged: [] });
  expect(unfired.map(({ id }) => id)).toEqual(['old']);
});
