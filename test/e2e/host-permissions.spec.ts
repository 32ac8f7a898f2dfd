import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OwnHost } from './own-host.js';

const HOST_TEST_MS = 120_000;

describe('the reference host', () => {
  const user = (name: string, permissions: string[]) => ({ name, password: `${name} has a password`, permissions });
  const users = [
    { name: 'admin', password: 'admin has a password' },
    user('guest', []),
    user('clerk', ['decide:leave-requests']),
    user('caller', ['call:http-endpoints']),
    user('manager', ['policy:managers']),
  ];
  const host = new OwnHost({ WAYMARK_USERS: JSON.stringify(users), WAYMARK_HTTP_IDEMPOTENCY_KEYS: '1' });
  const tokens: Record<string, string> = {};

  beforeAll(async () => {
    await host.start();
    for (const { name, password } of users) {
      const { json } = await host.call('POST', '/elsa/api/identity/login', { username: name, password });
      tokens[name] = (json as { accessToken: string }).accessToken;
    }
    const root = {
      type: 'Elsa.HttpEndpoint',
      id: 'E',
      customProperties: { canStartWorkflow: true },
      path: { typeName: 'String', expression: { type: 'Literal', value: 'for-managers' } },
      supportedMethods: { typeName: 'Object', expression: { type: 'Object', value: '["GET"]' } },
      authorize: { typeName: 'Boolean', expression: { type: 'Literal', value: true } },
      policy: { typeName: 'String', expression: { type: 'Literal', value: 'managers' } },
    };
    const model = { definitionId: 'for-managers', root };
    const saved = await host.call('POST', '/elsa/api/workflow-definitions', { model, publish: true }, by('admin'));
    expect(saved.status).toBe(200);
  }, HOST_TEST_MS);
  afterAll(() => host.remove());

  const by = (name: string) => ({ Authorization: `Bearer ${tokens[name]}` });
  const statuses = async (method: string, route: string, body?: object) => {
    const all: Record<string, number> = {};
    for (const { name } of users) all[name] = (await host.call(method, route, body, by(name))).status;
    return all;
  };

  it('allows decisions on leave requests by users with the permission', async () => {
    expect(await statuses('POST', '/leave-requests/none/manager', { approved: true, by: 'Max' })).toEqual({
      admin: 404,
      guest: 403,
      clerk: 404,
      caller: 403,
      manager: 403,
    });
  });

  it('allows calls of endpoints with authorisation by users with the permission', async () => {
    expect(await statuses('GET', '/workflows/leave-requests/none')).toEqual({
      admin: 404,
      guest: 401,
      clerk: 401,
      caller: 404,
      manager: 401,
    });
  });

  it('takes the policy of an endpoint for a permission', async () => {
    expect(await statuses('GET', '/workflows/for-managers')).toEqual({
      admin: 200,
      guest: 401,
      clerk: 401,
      caller: 401,
      manager: 200,
    });
  });

  it('keeps the answer to a request with a key for its caller alone', async () => {
    const ask = (name: string) =>
      host.call('GET', '/workflows/for-managers', undefined, { ...by(name), 'Idempotency-Key': 'the-same' });
    const answers = [await ask('manager'), await ask('manager'), await ask('admin')];
    const replayed = answers.map(({ headers }) => headers.get('idempotent-replayed'));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(replayed).toEqual([null, 'true', null]);
  });
});
