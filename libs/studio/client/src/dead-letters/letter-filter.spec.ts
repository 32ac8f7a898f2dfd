import { describe, expect, it } from '@jest/globals';
import { letterFilter } from './letter-filter.js';

describe('the filter of dead letters', () => {
  it('has the conditions of the list, with local times', () => {
    const search = { kind: 'start', error: 'WM1020', from: '2026-03-01T10:00', to: 'nonsense', instance: 'i1' };
    const createdAfter = new Date(2026, 2, 1, 10).toISOString();
    expect(letterFilter('outbox', search)).toEqual({ kind: 'start', errorCode: 'WM1020', createdAfter });
    expect(letterFilter('bookmark-queue', search)).toEqual({ workflowInstanceId: 'i1' });
  });
});
