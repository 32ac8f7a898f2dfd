import { pairsOf } from '../../../../test/support/pairs.js';
import { ADAPTERS, ApiServer } from '../module/api-harness.spec.js';

describe.each(pairsOf(ADAPTERS, 'express'))('publishing what is saved or imported (%s)', (adapter) => {
  let api: ApiServer;
  beforeAll(async () => {
    const apiKeys = [
      { key: 'writer', permissions: ['write:workflow-definitions', 'read:workflow-definitions'] },
      { key: 'both', permissions: ['write:workflow-definitions', 'publish:workflow-definitions'] },
    ];
    api = await ApiServer.start(adapter, { authentication: { apiKeys } });
  });
  afterAll(() => api.close());

  const root = { type: 'Elsa.WriteLine', text: 'x' };
  const by = (key: string) => ({ authorization: `ApiKey ${key}`, 'content-type': 'application/json' });
  const upload = (definitionId: string): [string, Record<string, string>] => [
    `--b\r\nContent-Disposition: form-data; name="files"; filename="a.json"\r\n\r\n${JSON.stringify({ definitionId, root })}\r\n--b--\r\n`,
    { 'content-type': 'multipart/form-data; boundary=b' },
  ];

  it.each<[string, (id: string, publish: boolean) => [string, string, unknown, Record<string, string>?]]>([
    ['POST workflow-definitions', (id, publish) => ['POST', '', { model: { definitionId: id, root }, publish }]],
    ['POST import', (id, publish) => ['POST', `/import?publish=${publish}`, { definitionId: id, root }]],
    ['PUT import', (id, publish) => ['PUT', `/import?publish=${publish}`, { definitionId: id, root }]],
    ['POST {id}/import', (id, publish) => ['POST', `/${id}/import?publish=${publish}`, { root }]],
    ['PUT {id}/import', (id, publish) => ['PUT', `/${id}/import?publish=${publish}`, { root }]],
    ['POST import-files', (id, publish) => ['POST', `/import-files?publish=${publish}`, ...upload(id)]],
  ])('%s requires the permission to publish, and saving a draft does not', async (name, request) => {
    const id = `d-${name.replace(/\W/g, '-')}`;
    const send = async (key: string, publish: boolean) => {
      const [method, path, body, headers] = request(id, publish);
      return api.call(method, `/workflow-definitions${path}`, body, { ...by(key), ...headers });
    };
    const isPublished = async () => {
      const { status, json } = await api.call('GET', `/workflow-definitions/${id}`, undefined, by('writer'));
      return status === 200 ? (json as { isPublished: boolean }).isPublished : undefined;
    };
    const refused = await send('writer', true);
    expect([refused.status, await isPublished()]).toEqual([403, undefined]);
    expect(refused.text).toMatch(/publish:workflow-definitions|^$/);
    expect([(await send('writer', false)).status < 300, await isPublished()]).toEqual([true, false]);
    expect([(await send('both', true)).status < 300, await isPublished()]).toEqual([true, true]);
  });
});
