import { expect, it, jest } from '@jest/globals';
import type { WorkflowEngine, WorkflowPersistence } from '@waymark/runtime';
import type { HttpRequest } from '../requests/http-request.js';
import { RouteTable } from '../routing/route-table.js';
import type { EndpointWaits } from './endpoint-waits.js';
import { EndpointFinder } from './find-endpoint.js';

/** A finder on a node that knows that some instance waits for HTTP, and finds none for the request at hand. */
function finding(...paths: readonly string[]) {
  const table = new RouteTable();
  table.addTriggers(
    paths.map((path, index) => ({
      id: `t${index}`,
      workflowDefinitionId: `d${index}`,
      workflowDefinitionVersionId: `v${index}`,
      name: 'Elsa.HttpEndpoint',
      activityId: 'In',
      hash: path,
      payload: { path, method: 'get', authorize: false },
    })),
  );
  const findAll = jest.spyOn(table, 'findAll');
  const asked: unknown[] = [];
  const finder = new EndpointFinder(
    table,
    { areNone: false, ask: async () => true } as EndpointWaits,
    { bookmarks: { findMany: async (filter: unknown) => (asked.push(filter), []) } } as unknown as WorkflowPersistence,
    { runner: { engine: { hash: (text: string) => text } } } as unknown as WorkflowEngine,
    { instanceIdSelectors: [], correlationIdSelectors: [] } as never,
  );
  const request = { method: 'GET', header: () => undefined } as unknown as HttpRequest;
  return { table, findAll, asked, find: async (path: string) => finder.find(request, path) };
}

it('serves the trigger of the most specific template without a look at all the others', async () => {
  const { find, findAll, asked } = finding('{a}/{b}', 'orders/{id}', '{**rest}');
  expect(await find('/orders/12')).toMatchObject({ kind: 'start', trigger: { id: 't1' } });
  // The instance that may wait at the literal path goes first.
  expect(asked).toHaveLength(1);
  expect(findAll).not.toHaveBeenCalled();
});

it('serves the next template where the most specific one leads nowhere', async () => {
  const { table, find, findAll } = finding('{a}/{b}');
  table.addPatterns([{ name: 'Elsa.HttpEndpoint', payload: { path: 'orders/{id}', method: 'get', authorize: false } }]);
  expect(await find('/orders/12')).toMatchObject({ kind: 'start', trigger: { id: 't0' } });
  expect(findAll).toHaveBeenCalledTimes(1);
});
