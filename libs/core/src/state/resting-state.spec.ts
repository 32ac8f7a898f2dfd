import { expect, it } from '@jest/globals';
import { restingIds } from './resting-state.js';

it('knows an item by its id and by what it belongs to, whatever list it is in', () => {
  const item = {
    id: 'own',
    parentContextId: 'parent',
    activityInstanceId: 'waiting',
    childInstanceId: 'child',
    ownerInstanceId: 'owner',
  };
  expect(restingIds('activityExecutionContexts', item)).toEqual({ id: 'own', ownerId: 'parent' });
  expect(restingIds('bookmarks', item)).toEqual({ id: 'own', ownerId: 'waiting' });
  expect(restingIds('completionCallbacks', item)).toEqual({ id: 'child', ownerId: 'owner' });
});

it('leaves an item alone that has no id, such as a callback of a queued child', () => {
  expect(restingIds('completionCallbacks', { id: 'own', ownerInstanceId: 'owner' })).toBeUndefined();
  expect(restingIds('bookmarks', { activityInstanceId: 'waiting' })).toBeUndefined();
});
