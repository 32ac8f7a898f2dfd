// The REST surface: verbs, content types, broken requests, names in queries, paging, unknown things, bulk actions.
import { request } from '../lib/http.mjs';
import { W, chain, event, inputDef, outputDef, seq, variable, workflow } from '../lib/build.mjs';

const simple = (t, id = t.id(), o) => workflow(id, seq('S', [W('W', 'x')]), o);
const waiting = (t, id = t.id()) => workflow(id, seq('S', [event('Ev', t.id('go'))]));
/** A request with exactly these headers and this text. */
const raw = (t, method, path, body, headers = {}) =>
  request(method, t.apiBase + path, { headers: { ...t.env.authHeaders, ...headers }, body, signal: t.signal });
const isProblem = (t, r, key, what) => {
  t.eq(r.status, 400, `${what}: status`);
  t.match(r.headers['content-type'] ?? '', /^application\/problem\+json/, `${what}: content type`);
  t.eq([r.json?.statusCode, r.json?.message], [400, 'One or more errors occurred!'], `${what}: envelope`);
  t.eq(Object.keys(r.json?.errors ?? {}), [key], `${what}: key of the error`);
};
/** What a refusal says besides is up to the server: the reference says nothing. */
const isRefused = (t, r, status, what) => t.eq(r.status, status, what);

const binding = [
  ['POST', '/workflow-definitions'],
  ['POST', '/workflow-definitions/nope/publish'],
  ['POST', '/workflow-definitions/nope/retract'],
  ['POST', '/workflow-definitions/nope/dispatch'],
  ['POST', '/workflow-definitions/import'],
  ['POST', '/events/nope/trigger'],
  ['POST', '/tasks/nope/complete'],
  ['POST', '/activity-executions/report'],
  ['POST', '/bulk-actions/publish/workflow-definitions/by-definition-ids'],
  ['POST', '/bulk-actions/retract/workflow-definitions/by-definition-ids'],
  ['POST', '/bulk-actions/delete/workflow-definitions/by-definition-id'],
  ['POST', '/bulk-actions/delete/workflow-definitions/by-id'],
  ['POST', '/alterations/run'],
];
const unknown = [
  ['GET', '/workflow-definitions/by-definition-id/nope'],
  ['GET', '/workflow-definitions/nope'],
  ['GET', '/workflow-definitions/by-id/nope'],
  ['GET', '/workflow-definitions/nope/versions'],
  ['GET', '/workflow-definitions/nope/consumers'],
  ['GET', '/workflow-definitions/nope/export'],
  ['POST', '/workflow-definitions/nope/publish'],
  ['POST', '/workflow-definitions/nope/retract'],
  ['POST', '/workflow-definitions/nope/execute'],
  ['POST', '/workflow-definitions/nope/dispatch'],
  ['POST', '/workflow-definitions/nope/revert/1'],
  ['POST', '/workflow-definitions/nope/update-references'],
  ['DELETE', '/workflow-definitions/nope'],
  ['DELETE', '/workflow-definition-versions/nope'],
  ['DELETE', '/workflow-definitions/nope/version/1'],
  ['GET', '/workflow-definitions/subgraph/nope?parentNodeId=x'],
  ['GET', '/workflow-definitions/subgraph/segments/nope?childNodeId=x'],
  ['GET', '/workflow-instances/nope'],
  ['GET', '/workflow-instances/nope/execution-state'],
  ['GET', '/workflow-instances/nope/export'],
  ['GET', '/workflow-instances/nope/journal/x'],
  ['DELETE', '/workflow-instances/nope'],
  ['GET', '/activity-executions/nope'],
  ['GET', '/activity-executions/by-id?id=nope'],
  ['GET', '/activity-executions/nope/call-stack'],
  ['GET', '/descriptors/activities/Acme.Nope'],
  ['GET', '/descriptors/activities/elsa.writeline'],
  ['GET', '/descriptors/activities/Elsa.WriteLine?version=99'],
  ['POST', '/descriptors/activities/Elsa.WriteLine/options/Nope'],
  ['GET', '/features/installed/Acme.Nope'],
  ['GET', '/bookmark-queue/dead-letters/nope'],
  ['DELETE', '/bookmark-queue/dead-letters/nope'],
  ['POST', '/bookmark-queue/dead-letters/nope/replay'],
  ['GET', '/no-such-route'],
];

export default {
  group: 'rest',
  description: 'the REST surface',
  cases: [
    ...binding.map(([method, path]) => ({
      name: `without a content type: ${method} ${path}`,
      async run(t) {
        isRefused(t, await raw(t, method, path), 415, 'no body');
        isRefused(t, await raw(t, method, path, '{}', { 'Content-Type': 'text/plain' }), 415, 'text');
      },
    })),
    ...unknown.map(([method, path]) => ({
      name: `unknown: ${method} ${path}`,
      run: async (t) =>
        isRefused(
          t,
          await t.api(method, path, { body: method === 'POST' ? {} : undefined, expect: 'any' }),
          404,
          'answer',
        ),
    })),
    {
      name: 'a verb that the route lacks',
      async run(t) {
        const r = await t.api('PATCH', '/workflow-definitions', { body: {}, expect: 'any' });
        isRefused(t, r, 405, 'PATCH');
        t.eq(r.headers.allow?.split(/, */).sort(), ['GET', 'POST'], 'Allow');
      },
    },
    {
      name: 'routes take any case and a slash at the end',
      async run(t) {
        t.ok((await t.apiJson('GET', '/Package/VERSION/')).packageVersion, 'version');
        t.ok((await t.apiJson('GET', '/WORKFLOW-definitions/Query/COUNT/')).count >= 0, 'count');
      },
    },
    {
      name: 'broken JSON says where',
      async run(t) {
        const json = { 'Content-Type': 'application/json' };
        for (const [path, text, key] of [
          ['/workflow-definitions', '', 'serializerErrors'],
          ['/workflow-definitions', '[]', 'serializerErrors'],
          ['/workflow-definitions', '{ "model": { "name": ', 'model.name'],
          ['/workflow-instances', '{ "page": ', 'page'],
          ['/workflow-instances', '{"page":0,"pageSize":1,}', 'serializerErrors'],
          ['/workflow-instances', '{/* c */"page":0}', 'serializerErrors'],
        ])
          isProblem(t, await raw(t, 'POST', path, text, json), key, `${path} ${text}`);
      },
    },
    {
      name: 'bad members are named',
      async run(t) {
        for (const [path, body, key] of [
          ['/workflow-instances', { page: -1, pageSize: 5 }, 'generalErrors'],
          ['/workflow-instances', { page: 0, pageSize: 0 }, 'generalErrors'],
          ['/workflow-instances', { status: 'Nope' }, 'status'],
          [
            '/workflow-instances',
            { timestampFilters: [{ column: 'CreatedAt', operator: 'Nope', timestamp: '2024-01-01T00:00:00Z' }] },
            'timestampFilters[0].operator',
          ],
        ])
          isProblem(t, await t.api('POST', path, { body, expect: 'any' }), key, JSON.stringify(body));
        isProblem(t, await t.api('GET', '/workflow-definitions?orderBy=Nope', { expect: 'any' }), 'orderBy', 'orderBy');
        isProblem(
          t,
          await t.api('GET', '/workflow-definitions?page=abc&pageSize=1', { expect: 'any' }),
          'page',
          'page',
        );
      },
    },
    {
      name: 'numbers in quotes, enums as numbers and in any case, members in any case and unknown ones',
      async run(t) {
        const d = await t.deploy(waiting(t));
        const r = await t.execute(d.definitionId);
        for (const body of [
          { definitionId: t.id(), page: '0', pageSize: '1' },
          { definitionId: t.id(), subStatus: 'suspended' },
          { definitionId: t.id(), status: 0 },
          { DEFINITIONID: t.id(), nonsense: { a: 1 } },
          { DefinitionIds: [t.id()], SubStatuses: ['Suspended'] },
        ]) {
          const found = await t.apiJson('POST', '/workflow-instances', { body });
          t.eq(
            found.items.map((x) => x.id),
            [r.instanceId],
            JSON.stringify(body),
          );
          t.eq(found.totalCount, 1, 'total');
        }
      },
    },
    {
      name: 'queries in the names that Studio uses',
      async run(t) {
        await t.deploy(simple(t));
        await t.import(simple(t, t.id(), { name: t.id('draft') }));
        const get = async (q) => (await t.apiJson('GET', `/workflow-definitions?${q}`)).items.map((x) => x.version);
        const ids = `DefinitionIds=${t.id()}`;
        t.eq(await get(`${ids}&VersionOptions=Latest&Page=0&PageSize=10`), [2], 'Latest');
        t.eq(await get(`${ids}&versionOptions=Published`), [1], 'Published');
        t.eq(await get(`${ids}&versionOptions=Draft`), [2], 'Draft');
        t.eq(await get(`${ids}&versionOptions=1`), [1], 'a number');
        t.eq((await get(`${ids}&versionOptions=LatestOrPublished`)).sort(), [1, 2], 'LatestOrPublished');
        t.eq(await get(`${ids}&versionOptions=LatestAndPublished`), [], 'LatestAndPublished');
        t.eq(
          await get(`${ids}&versionOptions=AllVersions&OrderBy=Version&OrderDirection=Descending`),
          [2, 1],
          'ordered',
        );
        t.eq(
          await get(`${ids}&versionOptions=AllVersions&OrderBy=Version&OrderDirection=Descending&page=1&pageSize=1`),
          [1],
          'second page',
        );
        t.eq(await get(`${ids}&versionOptions=AllVersions&page=5&pageSize=1`), [], 'beyond the last page');
        t.eq(await get(`DefinitionIds=nope&DefinitionIds=${t.id()}&versionOptions=Latest`), [2], 'two ids');
        t.eq(await get(`${ids}&IsSystem=true`), [], 'system');
        t.eq(await get(`searchTerm=${t.id('draft')}&versionOptions=Latest`), [2], 'search by name');
      },
    },
    {
      name: 'links tell what may be done',
      async run(t) {
        await t.deploy(simple(t));
        const page = await t.apiJson('GET', `/workflow-definitions?definitionIds=${t.id()}`);
        const rels = (x) => x.links.map((l) => l.rel);
        for (const rel of [
          'self',
          'bulk-publish',
          'bulk-retract',
          'create',
          'import',
          'import-files',
          'bulk-delete-by-id',
        ])
          t.includes(rels(page), rel, 'links of the page');
        for (const rel of ['self', 'publish', 'retract', 'delete', 'execute', 'dispatch', 'export', 'versions'])
          t.includes(rels(page.items[0]), rel, 'links of the item');
        t.includes(rels(await t.definition(t.id())), 'publish', 'links of the definition');
      },
    },
    {
      name: 'a definition as the server writes it',
      async run(t) {
        const v = variable('Total', 'Int32', 5);
        await t.deploy(
          workflow(t.id(), chain('F', [W('A', 'a'), W('B', 'b')]), {
            variables: [v, variable('Words', 'String', ['a'], { isArray: true })],
            inputs: [inputDef('In', 'String')],
            outputs: [outputDef('Out', 'Object')],
            outcomes: ['Yes'],
          }),
        );
        const d = await t.definition(t.id());
        t.eq([d.version, d.isLatest, d.isPublished, d.isReadonly, d.outcomes], [1, true, true, false, ['Yes']], 'head');
        t.eq(
          d.variables.map((x) => [x.id, x.name, x.typeName, x.isArray, x.storageDriverTypeName]),
          [
            ['Total-id', 'Total', 'Int32', false, 'WorkflowInstanceStorageDriver'],
            ['Words-id', 'Words', 'String', true, 'WorkflowInstanceStorageDriver'],
          ],
          'variables',
        );
        t.eq(
          d.inputs.map((x) => [x.name, x.type]),
          [['In', 'String']],
          'inputs',
        );
        t.eq(
          d.outputs.map((x) => [x.name, x.type]),
          [['Out', 'Object']],
          'outputs',
        );
        t.eq(
          d.root.activities.map((x) => x.nodeId),
          ['Workflow1:F:A', 'Workflow1:F:B'],
          'node ids',
        );
        t.eq(
          d.root.connections.map((c) => [c.source, c.target]),
          [
            [
              { activity: 'A', port: 'Done' },
              { activity: 'B', port: 'In' },
            ],
          ],
          'connections',
        );
        t.match(d.toolVersion ?? '3.8', /^\d+\.\d+(\.\d+){0,2}$/, 'toolVersion');
      },
    },
  ],
};
