import { setImmediate } from 'node:timers/promises';
import { MemoryPersistence, StoreUnavailableError } from '@waymark/runtime';
import { type StoreOutages, type WorkflowEventEmitter, WorkflowLogger } from '@waymark/runtime/adapter';
import type { EndpointPatterns } from './endpoint-patterns.js';
import { RouteTable } from './route-table.js';
import { UpdateRouteTable } from './update-route-table.js';

describe('UpdateRouteTable', () => {
  it('logs what keeps it from reading triggers when the store is back: nothing else would, and the process would end', async () => {
    const store = new MemoryPersistence();
    const find = jest.spyOn(store.triggers, 'findMany').mockRejectedValueOnce(new StoreUnavailableError('out'));
    let recovered = (): void => {};
    const outages = {
      onRecovered: (listener: () => void) => (recovered = listener),
      report: (error: unknown) => error instanceof StoreUnavailableError,
    } as unknown as StoreOutages;
    const table = new UpdateRouteTable(
      new RouteTable(),
      store,
      outages,
      {} as EndpointPatterns,
      {} as WorkflowEventEmitter,
    );
    await table.onDefinitionsChanged({ definitionIds: ['w'] });
    const error = jest.spyOn(WorkflowLogger.prototype, 'error').mockImplementation(() => undefined);
    find.mockRejectedValueOnce(new TypeError('a row that cannot be read'));
    recovered();
    while (error.mock.calls.length === 0) await setImmediate();
    expect(String(error.mock.calls[0])).toContain('a row that cannot be read');
    error.mockRestore();
    // It is read with the next change.
    await table.onDefinitionsChanged({ definitionIds: ['other'] });
    expect(find.mock.lastCall).toEqual([expect.objectContaining({ workflowDefinitionIds: ['w', 'other'] })]);
  });
});
