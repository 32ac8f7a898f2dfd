import { setImmediate } from 'node:timers/promises';
import { MemoryPersistence, StoreUnavailableError } from '@waymark/runtime';
import { type StoreOutages, type WorkflowEventEmitter, WorkflowLogger } from '@waymark/runtime/adapter';
import { HTTP_ENDPOINT } from '../endpoint/endpoint-payload.js';
import type { EndpointPatterns } from './endpoint-patterns.js';
import { RouteTable } from './route-table.js';
import { UpdateRouteTable } from './update-route-table.js';

describe('UpdateRouteTable', () => {
  it('says of a damaged trigger what becomes of its endpoint: on this node, which has read it before, and on one that starts', async () => {
    const store = new MemoryPersistence();
    const payload = { path: 'orders', method: 'get' };
    const row = { id: 't', workflowDefinitionId: 'w', workflowDefinitionVersionId: 'v', activityId: 'H', hash: 'h' };
    const trigger = { ...row, name: HTTP_ENDPOINT, payload };
    const damaged = { ...row, name: HTTP_ENDPOINT, payload: undefined, unreadable: new Error('not JSON') };
    const find = jest.spyOn(store.triggers, 'findMany').mockResolvedValueOnce([trigger]).mockResolvedValue([damaged]);
    const outages = { onRecovered: () => undefined } as unknown as StoreOutages;
    const error = jest.spyOn(WorkflowLogger.prototype, 'error').mockImplementation(() => undefined);
    const said = async (routes: RouteTable, reads: number) => {
      const endpoints = {} as EndpointPatterns;
      const table = new UpdateRouteTable(routes, store, outages, endpoints, {} as WorkflowEventEmitter);
      for (let read = 0; read < reads; read++) await table.onDefinitionsChanged({ definitionIds: ['w'] });
      return error.mock.calls.splice(0).map(([line]) => String(line));
    };
    const [running, started] = [new RouteTable(), new RouteTable()];
    const [ofRunning, ofStarted] = [await said(running, 3), await said(started, 2)];
    error.mockRestore();
    find.mockRestore();
    expect(running.find('GET', 'orders')?.value.triggers).toEqual([trigger]);
    expect(started.find('GET', 'orders')).toBeUndefined();
    // Once, however often it is read again.
    expect(ofRunning).toEqual([expect.stringMatching(/'w' is served as it was read before.*not JSON/)]);
    expect(ofStarted).toEqual([expect.stringMatching(/'w' is not served.*not JSON/)]);
  });

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
