import { type Adapter, ADAPTERS, ApiServer } from '../module/api-harness.spec.js';

const KEY = 'k'.repeat(40);
const authentication = { apiKeys: [KEY], users: [{ name: 'ann', password: 'secret' }] };
const login = { username: 'ann', password: 'secret' };
const authorization = { authorization: `ApiKey ${KEY}` };

describe.each<Adapter>([...ADAPTERS])('answers of the API on %s', (adapter) => {
  let api: ApiServer;
  beforeAll(async () => (api = await ApiServer.start(adapter, { authentication })));
  afterAll(() => api.close());

  it.each<[string, string, string, unknown, Record<string, string>, number]>([
    ['a short list', 'GET', '/workflow-instances', undefined, authorization, 200],
    ['what is not there', 'GET', '/workflow-instances/none', undefined, authorization, 404],
    ['what is refused', 'GET', '/workflow-instances', undefined, {}, 401],
    ['a token', 'POST', '/identity/login', login, {}, 200],
    ['a wrong login', 'POST', '/identity/login', { ...login, password: 'x' }, {}, 200],
    ['a body that cannot be read', 'POST', '/workflow-definitions', { model: 7 }, authorization, 400],
  ])('answers of the API are not cached: %s', async (_, method, path, body, headers, status) => {
    const answer = await api.call(method, path, body, headers);
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([status, 'no-store']);
  });

  it('answers of the API are not cached when they answer a signed link', async () => {
    const answer = await api.call('GET', '/bookmarks/resume?t=none');
    expect([answer.status >= 400, answer.headers.get('cache-control')]).toEqual([true, 'no-store']);
  });

  it('may be cached by the browser when they are large, and are revalidated each time', async () => {
    const answer = await api.call('GET', '/descriptors/activities', undefined, authorization);
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'private, no-cache']);
  });
});
