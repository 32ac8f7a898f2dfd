import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OwnHost } from './own-host.js';

const HOST_TEST_MS = 120_000;

describe('the sample, when there is a key', () => {
  const host = new OwnHost({ WAYMARK_API_KEY: 'a-key-that-is-long-enough-for-a-test' });
  beforeAll(() => host.start(), HOST_TEST_MS);
  afterAll(() => host.remove());

  it('requires it on every route of the leave requests', async () => {
    const request = { employee: 'Mia', days: 3 };
    const decision = { approved: true, by: 'Max' };
    const key = { Authorization: 'ApiKey a-key-that-is-long-enough-for-a-test' };
    expect((await host.call('POST', '/workflows/leave-requests', request)).status).toBe(401);
    expect((await host.call('GET', '/workflows/leave-requests/x')).status).toBe(401);
    const refused = await host.call('POST', '/leave-requests/x/manager', decision);
    expect([refused.status, refused.json.code]).toEqual([401, 'WM8004']);
    const made = await host.call('POST', '/workflows/leave-requests', request, key);
    const id = (made.json as { requestId: string }).requestId;
    expect((await host.call('POST', `/leave-requests/${id}/manager`, decision, key)).status).toBe(200);
    expect((await host.call('GET', `/workflows/leave-requests/${id}`, undefined, key)).status).toBe(200);
    expect((await host.call('GET', '/workflows/hello/Ann')).status).toBe(200);
  });
});

describe('the leave sample, by people who log in', () => {
  const user = (name: string, ...roles: string[]) => {
    const permissions = ['read:user-tasks', 'complete:user-tasks'];
    return { name, password: `${name} has a password`, permissions, roles };
  };
  const users = [{ name: 'admin', password: 'admin has a password' }, user('Max', 'managers'), user('Hanna', 'heads')];
  const host = new OwnHost({ WAYMARK_USERS: JSON.stringify(users) });
  beforeAll(() => host.start(), HOST_TEST_MS);
  afterAll(() => host.remove());

  it('is a task for the managers and then for the heads', async () => {
    const tokenOf = async (username: string) => {
      const credentials = { username, password: `${username} has a password` };
      const { json } = await host.call('POST', '/elsa/api/identity/login', credentials);
      return { Authorization: `Bearer ${(json as unknown as { accessToken: string }).accessToken}` };
    };
    const [admin, max, hanna] = [await tokenOf('admin'), await tokenOf('Max'), await tokenOf('Hanna')];
    const made = await host.call('POST', '/workflows/leave-requests', { employee: 'Mia', days: 3 }, admin);
    const id = (made.json as { requestId: string }).requestId;
    const listOf = async (who: object) => {
      const { json } = await host.call('GET', '/elsa/api/user-tasks', undefined, who as Record<string, string>);
      return (json as unknown as { items: { id: string; name: string }[] }).items;
    };
    expect(await listOf(hanna)).toEqual([]);
    const [asked] = await listOf(max);
    const complete = (task: string, who: Record<string, string>) =>
      host.call('POST', `/elsa/api/user-tasks/${task}/complete`, { outcome: 'Approve' }, who);
    expect((await complete(asked!.id, hanna)).status).toBe(404);
    expect((await complete(asked!.id, max)).status).toBe(200);
    const [confirmed] = await listOf(hanna);
    expect([asked!.name, confirmed!.name]).toEqual(['leave-manager', 'leave-head']);
    expect((await complete(confirmed!.id, hanna)).status).toBe(200);
    const status = await host.call('GET', `/workflows/leave-requests/${id}`, undefined, admin);
    expect(status.json.status).toBe('approved');
  });
});

describe('the leave sample refuses values that are not a request or decision', () => {
  const host = new OwnHost();
  beforeAll(() => host.start(), HOST_TEST_MS);
  afterAll(() => host.remove());

  const codeOf = ({ status, json }: { status: number; json: { code: string } }) => [status, json.code];
  const statusOf = async (id: string) => (await host.call('GET', `/workflows/leave-requests/${id}`)).json.status;

  it('the leave sample refuses values that are not a request or decision, and continues to wait', async () => {
    expect(codeOf(await host.call('POST', '/workflows/leave-requests', { employee: 'Mia' }))).toEqual([400, 'WM9002']);
    const { requestId: id } = (await host.call('POST', '/workflows/leave-requests', { employee: 'Mia', days: 3 }))
      .json as { requestId: string };
    for (const body of [{}, { approved: 'false', by: 'Max' }, { approved: true }])
      expect(codeOf(await host.call('POST', `/leave-requests/${id}/manager`, body))).toEqual([400, 'WM9002']);
    // Malformed JSON is told alike by workflows and by the host's own routes.
    for (const route of ['/workflows/leave-requests', `/leave-requests/${id}/manager`])
      expect((await host.call('POST', route, '{ nope')).json).toMatchObject({
        code: 'WM5006',
        path: '$',
        lineNumber: 0,
      });
    const { json } = await host.call('GET', `/elsa/api/user-tasks?scope=All&correlationId=${id}`);
    const [task] = (json as unknown as { items: { id: string; name: string; data: object }[] }).items;
    expect(task).toMatchObject({ name: 'leave-manager', data: { employee: 'Mia', days: 3, requestId: id } });
    const complete = (body: object) => host.call('POST', `/elsa/api/user-tasks/${task!.id}/complete`, body);
    expect((await complete({ outcome: 'Perhaps' })).status).toBe(400);
    expect(await statusOf(id)).toBe('waiting for the manager');
    const valid = { approved: true, by: 'Max' };
    expect((await host.call('POST', `/leave-requests/${id}/manager`, valid)).status).toBe(200);
    expect(await statusOf(id)).toBe('waiting for the head');
    expect(codeOf(await complete({ outcome: 'Approve' }))).toEqual([409, 'WM2072']);
  });

  it('the leave sample answers all but one of several simultaneous decisions as too late', async () => {
    const { requestId: id } = (await host.call('POST', '/workflows/leave-requests', { employee: 'Mia', days: 3 }))
      .json as { requestId: string };
    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        host.call('POST', `/leave-requests/${id}/manager`, { approved: true, by: 'Max' }),
      ),
    );
    expect(answers.filter((a) => a.status === 200)).toHaveLength(1);
    expect(answers.filter((a) => a.status !== 200).map(codeOf)).toEqual(Array(9).fill([409, 'WM9004']));
  });
});

describe('the sample without a key', () => {
  const host = new OwnHost({});
  beforeAll(() => host.start(), HOST_TEST_MS);
  afterAll(() => host.remove());

  it('says what to do about a body that is too large', async () => {
    const decision = { approved: true, by: 'x'.repeat(1_100_000) };
    const refused = await host.call('POST', '/leave-requests/x/manager', decision);
    expect([refused.status, refused.json.code]).toEqual([413, 'WM9006']);
  });
});
