import { describe, expect, it } from '@jest/globals';
import { pairsOf } from '../../../../test/support/pairs.js';
import type { WorkflowApiOptions } from '../module/api-options.js';
import { ADAPTERS, line, sequence, useServer } from '../module/api-harness.spec.js';

const PERMISSIONS = ['read:user-tasks', 'complete:user-tasks'];
const PASSWORD = 'a password';
const person = (name: string, more: object = {}) => ({ name, password: PASSWORD, permissions: PERMISSIONS, ...more });
const OPTIONS: WorkflowApiOptions = {
  authentication: {
    users: [
      person('ann', { roles: ['clerks'] }),
      person('bob', { roles: ['clerks', 'managers'] }),
      person('eve'),
      person('reader', { roles: ['clerks'], permissions: ['read:user-tasks'] }),
      person('nobody', { permissions: ['read:workflow-instances'] }),
      person('chief', { permissions: ['manage:user-tasks'] }),
    ],
    apiKeys: ['the-key'],
  },
};
const KEY = { Authorization: 'ApiKey the-key' };
const literal = (value: unknown, typeName = 'String') => ({ typeName, expression: { type: 'Literal', value } });
const FORM = { type: 'object', required: ['amount'], properties: { amount: { type: 'integer' } } };
const ROOT = sequence(
  {
    id: 'Ask',
    type: 'Waymark.UserTask',
    taskName: literal('check'),
    title: literal('Check it'),
    candidateGroups: literal(['clerks'], 'List<String>'),
    possibleOutcomes: literal(['Approve', 'Reject'], 'List<String>'),
    form: literal(FORM, 'ObjectDictionary'),
  },
  line('After'),
);

describe.each(pairsOf(ADAPTERS, 'express'))('tasks for people over %s', (adapter) => {
  const { call } = useServer(
    adapter,
    async (api) => {
      const request = { model: { definitionId: 'ask', name: 'ask', root: ROOT }, publish: true };
      await api.call('POST', '/workflow-definitions', request, KEY);
    },
    OPTIONS,
  );
  const tokens = new Map<string, string>();
  async function as(name: string, method: string, path: string, body?: unknown) {
    if (!tokens.has(name)) {
      const { json } = await call('POST', '/identity/login', { username: name, password: PASSWORD });
      tokens.set(name, json.accessToken);
    }
    return call(method, `/user-tasks${path}`, body, { Authorization: `Bearer ${tokens.get(name)}` });
  }
  async function started(): Promise<{ id: string; instanceId: string }> {
    const { json } = await call('POST', '/workflow-definitions/ask/execute', {}, KEY);
    const instanceId = json.workflowState.id as string;
    const found = await call('GET', `/user-tasks?scope=All&workflowInstanceId=${instanceId}`, undefined, KEY);
    return { id: found.json.items[0].id, instanceId };
  }
  const statusesOf = async (...calls: ReturnType<typeof as>[]) =>
    (await Promise.all(calls)).map(({ status }) => status);

  it('tasks for people are claimed and completed by a member of a group, and the workflow continues', async () => {
    const { id, instanceId } = await started();
    const listed = async (name: string, query = '') =>
      (await as(name, 'GET', query)).json.items.map((task: { id: string }) => task.id);
    expect(await listed('ann')).toContain(id);
    expect(await listed('bob', '?Scope=available&groups=ignored')).toContain(id);
    expect(await listed('eve')).toEqual([]);
    const claimed = await as('ann', 'POST', `/${id}/claim`);
    expect([claimed.status, claimed.json]).toEqual([200, expect.objectContaining({ id, assignee: 'ann', form: FORM })]);
    expect(await listed('bob')).not.toContain(id);
    expect((await as('bob', 'POST', `/${id}/claim`)).json).toMatchObject({ code: 'WM2073' });
    const bad = await as('ann', 'POST', `/${id}/complete`, { outcome: 'Approve', values: { amount: 'x' } });
    expect([bad.status, Object.keys(bad.json.errors)]).toEqual([400, ['values.amount']]);
    expect((await as('ann', 'POST', `/${id}/complete`, { outcome: 'Nope', values: { amount: 1 } })).status).toBe(400);
    const done = await as('ann', 'POST', `/${id}/complete`, { outcome: 'Approve', values: { amount: 1 } });
    expect([done.status, done.json]).toEqual([
      200,
      expect.objectContaining({ status: 'Completed', completedBy: 'ann' }),
    ]);
    const again = await as('ann', 'POST', `/${id}/complete`, { outcome: 'Approve', values: { amount: 1 } });
    expect([again.status, again.json.code]).toEqual([409, 'WM2072']);
    const { json } = await call('GET', `/workflow-instances/${instanceId}`, undefined, KEY);
    expect(json.subStatus).toBe('Finished');
    expect(await listed('ann', '?scope=Completed')).toContain(id);
  });

  it('tasks for people are delegated, commented on and released, as their history shows', async () => {
    const { id } = await started();
    await as('ann', 'POST', `/${id}/claim`);
    await as('ann', 'POST', `/${id}/comments`, { text: 'Please look.' });
    expect((await as('bob', 'POST', `/${id}/delegate`, { to: 'bob' })).json.code).toBe('WM2071');
    expect((await as('ann', 'POST', `/${id}/delegate`, { to: 'eve', reason: 'on leave' })).json.assignee).toBe('eve');
    expect((await as('eve', 'POST', `/${id}/release`)).json.assignee).toBeUndefined();
    const { json } = await as('ann', 'GET', `/${id}/history`);
    expect(json.events.map(({ kind, by, to, text }: Record<string, string>) => [kind, by, to, text])).toEqual([
      ['Created', undefined, undefined, undefined],
      ['Claimed', 'ann', undefined, undefined],
      ['Commented', 'ann', undefined, 'Please look.'],
      ['Delegated', 'ann', 'eve', 'on leave'],
      ['Released', 'eve', undefined, undefined],
    ]);
    const page = await as('ann', 'GET', `/${id}/history?limit=2`);
    const next = await as('ann', 'GET', `/${id}/history?limit=2&after=${page.json.next}`);
    expect(next.json.events[0].kind).toBe('Commented');
  });

  it('tasks for people are refused to users without permission', async () => {
    const { id } = await started();
    expect((await call('GET', '/user-tasks')).status).toBe(401);
    expect(
      await statusesOf(
        as('nobody', 'GET', ''),
        as('reader', 'POST', `/${id}/claim`),
        as('reader', 'GET', `/${id}`),
        as('eve', 'GET', `/${id}`),
        as('eve', 'POST', `/${id}/claim`),
        as('ann', 'GET', '?scope=All'),
        as('chief', 'GET', '?scope=All'),
        as('chief', 'POST', `/${id}/delegate`, { to: 'ann' }),
        as('ann', 'GET', '/no-such-task'),
      ),
    ).toEqual([403, 403, 200, 404, 404, 403, 200, 200, 404]);
  });

  it('tasks for people are listed page by page', async () => {
    for (let n = 0; n < 3; n++) await started();
    const seen: string[] = [];
    for (let query = '?limit=2', rounds = 0; rounds < 50; rounds++) {
      const { json } = await as('bob', 'GET', query);
      seen.push(...json.items.map((task: { id: string }) => task.id));
      if (json.next === undefined) break;
      query = `?limit=2&after=${encodeURIComponent(json.next)}`;
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.length).toBeGreaterThanOrEqual(3);
    const beyondColumns = ['?minPriority=2147483648', '?order=Priority&after=9999999999999999~x'];
    const wrong = ['?limit=0', '?limit=500', '?after=x', '?order=Sideways', '?dueBefore=soon'];
    for (const query of [...wrong, ...beyondColumns]) expect((await as('bob', 'GET', query)).status).toBe(400);
  });

  it('tasks for people end with their instance', async () => {
    const { id, instanceId } = await started();
    await call('POST', `/cancel/workflow-instances/${instanceId}`, undefined, KEY);
    await call('POST', '/bulk-actions/cancel/workflow-instances', { ids: [instanceId] }, KEY);
    const { json } = await as('chief', 'GET', `/${id}`);
    expect(json.status).toBe('Cancelled');
    expect((await as('ann', 'POST', `/${id}/claim`)).json.code).toBe('WM2072');
  });
});
