import { pairsOf } from '../../../../test/support/pairs.js';
import { ADAPTERS, ApiServer, line } from '../module/api-harness.spec.js';

const SITE = 'https://elsewhere.example';
const FROM_SITE = { 'sec-fetch-site': 'cross-site', origin: SITE, cookie: 'session=ann' };

describe.each(pairsOf(ADAPTERS, 'express'))('an API that only guards of the application protect, on %s', (adapter) => {
  let api: ApiServer;
  beforeAll(async () => {
    api = await ApiServer.start(adapter);
    await api.deploy('pays', line('A'));
  });
  afterAll(() => api.close());

  const execute = '/workflow-definitions/pays/execute';
  const started = async () => (await api.call('POST', '/workflow-instances', { definitionId: 'pays' })).json.totalCount;

  it.each([
    ['a link', 'GET', { 'sec-fetch-mode': 'navigate' }],
    ['an image', 'GET', { 'sec-fetch-mode': 'no-cors' }],
    ['a form', 'POST', { 'sec-fetch-mode': 'navigate' }],
    ['a fetch', 'POST', { 'sec-fetch-mode': 'cors' }],
  ])('starts nothing for %s on a page of another site', async (_name, method, mode) => {
    const before = await started();
    const { status, json } = await api.call(method, execute, undefined, { ...FROM_SITE, ...mode });
    expect([status, json.code]).toEqual([403, 'WM8005']);
    expect(await started()).toBe(before);
  });

  it('lets links through that are signed: their own signature decides', async () => {
    const link = (headers: Record<string, string>) => api.call('GET', '/bookmarks/resume?t=none', undefined, headers);
    const followed = await link({ ...FROM_SITE, 'sec-fetch-mode': 'navigate' });
    expect([followed.status, followed.status]).toEqual([(await link({})).status, 400]);
  });

  it('is read by pages of other sites, and called by its own ones and by programs', async () => {
    const list = await api.call('GET', '/workflow-definitions', undefined, {
      ...FROM_SITE,
      'sec-fetch-mode': 'no-cors',
    });
    expect(list.status).toBe(200);
    for (const headers of [{ 'sec-fetch-site': 'same-origin' }, { 'sec-fetch-site': 'none' }, {}])
      expect((await api.call('POST', execute, undefined, headers as Record<string, string>)).status).toBe(200);
  });
});

describe.each(pairsOf(ADAPTERS, 'express'))('an open API whose application allows a site, on %s', (adapter) => {
  it.each([
    ['with cookies', { origin: SITE, credentials: true }, 200],
    ['without cookies, which come all the same', { origin: true }, 403],
    ['that is another one', { origin: 'https://other.example', credentials: true }, 403],
  ])('decides by what CORS says: %s', async (_name, cors, status) => {
    const api = await ApiServer.start(adapter, {}, {}, (app) => app.enableCors(cors));
    await api.deploy('pays', line('A'));
    const headers = { ...FROM_SITE, 'sec-fetch-mode': 'cors' };
    expect((await api.call('POST', '/workflow-definitions/pays/execute', undefined, headers)).status).toBe(status);
    await api.close();
  });
});
