import { ApiServer } from '../module/api-harness.spec.js';

describe('a user who has read:* only', () => {
  const headers = { authorization: 'ApiKey reader', 'content-type': 'application/json' };
  let api: ApiServer;
  beforeAll(async () => {
    const apiKeys = [
      { key: 'reader', permissions: ['read:*'] },
      { key: 'writer', permissions: ['*'] },
    ];
    api = await ApiServer.start('fastify', { authentication: { apiKeys } });
  });
  afterAll(() => api.close());

  it('may read everything that an editor needs to open a workflow, and starts no instance', async () => {
    const root = { id: 'Seq', type: 'Elsa.Sequence', activities: [{ id: 'L', type: 'Elsa.WriteLine', text: 'x' }] };
    const by = { ...headers, authorization: 'ApiKey writer' };
    const model = { definitionId: 'read', root };
    const { id } = (await api.call('POST', '/workflow-definitions/import', model, by)).json;
    const statusOf = async (method: string, path: string, body?: unknown) =>
      `${path} ${(await api.call(method, path, body, headers)).status}`;
    const open = [
      '/workflow-definitions',
      `/workflow-definitions/by-id/${id}`,
      `/workflow-definitions/subgraph/${id}?parentNodeId=Workflow1`,
      `/workflow-definitions/subgraph/segments/${id}?childNodeId=Workflow1:Seq`,
      '/descriptors/activities',
      '/descriptors/expression-descriptors',
      '/descriptors/variables',
      '/descriptors/storage-drivers',
      '/descriptors/incident-strategies',
      '/descriptors/workflow-activation-strategies',
      '/descriptors/log-persistence-strategies',
      '/descriptors/commit-strategies/workflows',
      '/descriptors/commit-strategies/activities',
      '/features/installed',
    ];
    expect(await Promise.all(open.map((path) => statusOf('GET', path)))).toEqual(open.map((path) => `${path} 200`));
    const asked = ['/descriptors/activities/Elsa.Switch/options/Mode', '/scripting/javascript/type-definitions/read'];
    expect(await Promise.all(asked.map((path) => statusOf('POST', path, {})))).toEqual(
      asked.map((path) => `${path} 200`),
    );
    const closed = ['/workflow-instances', '/activity-executions/list?workflowInstanceId=x', '/user-tasks'];
    expect(await Promise.all(closed.map((path) => statusOf('GET', path)))).toEqual(closed.map((path) => `${path} 403`));
  });
});
