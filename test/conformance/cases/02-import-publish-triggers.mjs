// Import and publish of Elsa's trigger workflows; what publishing, retracting and deleting does to triggers, seen over HTTP.
import { chain, httpEndpoint, httpResponse, js, workflow } from '../lib/build.mjs';

const page = (id, path, text, o = {}) =>
  workflow(
    id,
    chain('Flow', [httpEndpoint('In', path, { methods: o.methods ?? ['GET'] }), httpResponse('Out', text)]),
    o,
  );
const status = async (t, path, method = 'GET') => (await t.http(method, path)).status;

export default {
  group: 'import-publish-triggers',
  description: 'import and publish with trigger validation; trigger indexing effects visible over HTTP',
  cases: [
    {
      name: 'the same path with another method is no conflict',
      async run(t) {
        await t.deploy(page(t.id('get'), t.path('shared'), 'via get', { methods: ['GET'] }));
        await t.deploy(page(t.id('post'), t.path('shared'), 'via post', { methods: ['POST'] }));
        t.eq((await t.get(t.path('shared'))).text, 'via get', 'GET');
        t.eq((await t.post(t.path('shared'))).text, 'via post', 'POST');
      },
    },
    {
      name: 'deletion takes the route away',
      async run(t) {
        await t.deploy(page(t.id(), t.path(), 'here'));
        t.eq(await status(t, t.path()), 200, 'before');
        await t.deleteDefinition(t.id());
        t.eq(await status(t, t.path()), 404, 'after');
      },
    },
    {
      name: 'publishing with another method moves the trigger',
      async run(t) {
        await t.deploy(page(t.id(), t.path(), 'x', { methods: ['GET', 'POST'] }));
        t.eq(
          [await status(t, t.path()), await status(t, t.path(), 'POST'), await status(t, t.path(), 'PUT')],
          [200, 200, 404],
          'GET, POST, PUT',
        );
        await t.deploy(page(t.id(), t.path(), 'x', { methods: ['PUT'] }));
        t.eq(
          [await status(t, t.path()), await status(t, t.path(), 'POST'), await status(t, t.path(), 'PUT')],
          [404, 404, 200],
          'GET, POST, PUT',
        );
      },
    },
    {
      name: 'refresh finds a path that an expression computes',
      requires: ['javascript'],
      async run(t) {
        const m = workflow(
          t.id(),
          chain('Flow', [
            httpEndpoint('In', js(`return "${t.path('dyn')}" + (1 + 1);`, 'String')),
            httpResponse('Out', 'dynamic'),
          ]),
        );
        await t.deploy(m);
        t.eq((await t.get(t.path('dyn2'))).text, 'dynamic', 'computed path');
        await t.api('POST', '/actions/workflow-definitions/refresh', {
          body: { definitionIds: [t.id()] },
          expect: 200,
        });
        t.eq((await t.get(t.path('dyn2'))).text, 'dynamic', 'after refresh');
      },
    },
  ],
};
