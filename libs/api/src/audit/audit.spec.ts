import { describe, expect, it } from '@jest/globals';
import { AuditTrail, WorkflowPersistence } from '@waymark/runtime';
import { pairsOf } from '../../../../test/support/pairs.js';
import {
  ADAPTERS,
  ApiServer,
  deployFaulting,
  event,
  line,
  model,
  type Reply,
  sequence,
  useServer,
} from '../module/api-harness.spec.js';
import { TokenService } from '../bookmarks/token-service.js';

const KEY = 'a-key-that-is-in-no-entry';
const authentication = {
  users: [
    { name: 'ada', password: 'correct horse' },
    { name: 'bob', password: 'battery staple', permissions: ['read:workflow-definitions'] },
    { name: 'eve', password: 'reads the trail', permissions: ['read:audit'] },
  ],
  apiKeys: [{ key: KEY, name: 'deployer' }],
};
const BY_KEY = { authorization: `ApiKey ${KEY}` };

interface Entry {
  readonly id: string;
  readonly at: string;
  readonly actor?: string;
  readonly action: string;
  readonly [member: string]: unknown;
}

describe.each(pairsOf(ADAPTERS, 'fastify'))('The audit trail of the API on %s', (adapter) => {
  const { call, app } = useServer(adapter, undefined, { authentication, audit: { refusalsPerHour: 20 } });
  const trail = async (query = '', headers = BY_KEY): Promise<Entry[]> =>
    (await call('GET', `/audit${query}`, undefined, headers)).json.items;
  const latest = async (action: string) => (await trail(`?action=${action}&limit=1`))[0];
  const loggedIn = async (username: string, password: string) => {
    const { json } = await call('POST', '/identity/login', { username, password });
    return { authorization: `Bearer ${json.accessToken}` };
  };
  const save = (id: string, publish: boolean, headers: Record<string, string> = BY_KEY) =>
    call('POST', '/workflow-definitions', { model: model(id, sequence(event('E', 'go'))), publish }, headers);

  it('records actor, action, target and address before the request is answered', async () => {
    const headers = { ...BY_KEY, 'user-agent': 'a'.repeat(500), 'x-request-id': 'req-7' };
    const { json } = await save('first', true, headers);
    expect(await latest('definitions.save')).toEqual({
      id: expect.any(String),
      at: expect.any(String),
      actorKind: 'ApiKey',
      actor: 'deployer',
      action: 'definitions.save',
      targetKind: 'definition',
      targetIds: ['first'],
      targetCount: 1,
      outcome: 'Succeeded',
      address: '127.0.0.1',
      userAgent: `${'a'.repeat(119)}…`,
      requestId: 'req-7',
      details: { version: 1, versionId: json.workflowDefinition.id, published: true },
    });
  });

  it('records users by their names, and refusals with their codes', async () => {
    const ada = await loggedIn('ada', 'correct horse');
    const bob = await loggedIn('bob', 'battery staple');
    await save('second', false, ada);
    expect(await latest('definitions.save')).toMatchObject({ actorKind: 'User', actor: 'ada', targetIds: ['second'] });
    expect((await call('DELETE', '/workflow-definitions/second', undefined, bob)).status).toBe(403);
    expect(await latest('definitions.delete')).toMatchObject({
      actor: 'bob',
      outcome: 'Refused',
      code: 'WM8005',
      targetIds: ['second'],
    });
    expect((await call('DELETE', '/workflow-definitions/second', undefined, ada)).status).toBe(204);
    expect((await call('DELETE', '/workflow-definitions/second', undefined, ada)).status).toBe(404);
    const [again, done] = await trail('?action=definitions.delete&actor=ada');
    expect([again, done]).toMatchObject([{ outcome: 'Refused', code: 'WM8003' }, { outcome: 'Succeeded' }]);
    expect(await trail('?action=definitions.delete&outcome=refused&targetId=second')).toHaveLength(2);
    expect(await trail('?action=definitions.delete&targetKind=instance')).toEqual([]);
  });

  it('records logins, and only names that are texts', async () => {
    const refused = await call('POST', '/identity/login', { username: 'ada', password: 'wrong password' });
    expect(refused.json.isAuthenticated).toBe(false);
    await call('POST', '/identity/login', { username: 'my password, by mistake', password: 'x' });
    const [unknown, known] = await trail('?action=identity.login&outcome=Refused');
    expect([unknown!.targetIds, known!.targetIds, known!.code]).toEqual([[], ['ada'], 'WM8004']);
    expect(known).toMatchObject({ actorKind: 'Anonymous' });
    await loggedIn('eve', 'reads the trail');
    expect(await latest('identity.login')).toMatchObject({ actor: 'eve', actorKind: 'User', targetIds: ['eve'] });
  });

  it('records the status of instances without their inputs', async () => {
    await save('started', true);
    const secret = 'inputs are nothing for the trail';
    const started = await call('POST', '/workflow-definitions/started/execute', { input: { secret } }, BY_KEY);
    const id: string = started.json.workflowState.id;
    expect(await latest('instances.start')).toMatchObject({
      targetIds: [id],
      details: { definitionId: 'started', subStatus: 'Suspended' },
    });
    const many = await call('POST', '/workflow-definitions/started/bulk-dispatch', { count: 120 }, BY_KEY);
    expect(many.status).toBe(200);
    expect(await latest('instances.dispatch')).toMatchObject({
      targetCount: 120,
      targetIds: many.json.workflowInstanceIds.slice(0, 100),
    });
    await call('POST', `/workflow-instances/${id}/variables`, { variables: [{ id: 'v', value: secret }] }, BY_KEY);
    await call('POST', '/alterations/run', { alterations: [{ type: 'Cancel' }], workflowInstanceIds: [id] }, BY_KEY);
    await call('POST', '/bulk-actions/delete/workflow-instances', { ids: [id, 'none'] }, BY_KEY);
    const of = (await trail(`?targetKind=instance&targetId=${id}`)).map(({ action }) => action);
    expect(of).toEqual(['instances.delete', 'alterations.run', 'instances.change-variables', 'instances.start']);
    expect(await latest('instances.delete')).toMatchObject({
      targetIds: [id, 'none'],
      targetCount: 2,
      details: { changed: 1 },
    });
    const { text } = await call('GET', '/audit/export', undefined, BY_KEY);
    for (const hidden of [secret, KEY, 'correct horse', 'wrong password', 'by mistake'])
      expect(text).not.toContain(hidden);
  });

  it('names a change whose workflow failed', async () => {
    const json = { 'content-type': 'application/json' };
    const faulting = { model: model('faulting', sequence({ id: 'X', type: 'Test.Broken' })), publish: true };
    await call('POST', '/workflow-definitions', faulting, BY_KEY);
    expect((await call('POST', '/workflow-definitions/faulting/execute', {}, { ...json, ...BY_KEY })).status).toBe(500);
    expect(await latest('instances.start')).toMatchObject({ outcome: 'Succeeded', details: { subStatus: 'Faulted' } });
  });

  it('distinguishes the holder of a signed link from other callers', async () => {
    const t = app().get(TokenService).forEvent({ eventName: 'by-mail', workflowInstanceId: 'i' });
    await call('GET', `/events/trigger?t=${encodeURIComponent(t)}`);
    expect(await latest('events.trigger')).toMatchObject({
      actorKind: 'Link',
      targetIds: ['by-mail'],
      details: { workflowInstanceId: 'i' },
    });
    await call('GET', '/events/trigger?t=forged');
    expect(await latest('events.trigger')).toMatchObject({
      actorKind: 'Anonymous',
      outcome: 'Refused',
      code: 'WM8001',
    });
    expect((await call('GET', '/audit/export', undefined, BY_KEY)).text).not.toContain(t);
  });

  it('is read page by page by users with the permission', async () => {
    const eve = await loggedIn('eve', 'reads the trail');
    const bob = await loggedIn('bob', 'battery staple');
    for (const path of ['/audit', '/audit/export', '/audit/status'])
      expect([(await call('GET', path)).status, (await call('GET', path, undefined, bob)).status]).toEqual([401, 403]);
    const all: Entry[] = [];
    let answer: Reply;
    let after = '';
    do {
      answer = await call('GET', `/audit?limit=4${after}`, undefined, eve);
      all.push(...answer.json.items);
      after = `&after=${encodeURIComponent(answer.json.next)}`;
    } while (answer.json.next !== undefined);
    const whole = await trail('?limit=1000', eve);
    expect(all).toEqual(whole);
    expect(all.map(({ at }) => at)).toEqual(
      all
        .map(({ at }) => at)
        .sort()
        .reverse(),
    );
    const middle = all[5]!;
    const since = await trail(`?limit=1000&from=${encodeURIComponent(middle.at)}`, eve);
    expect(since.map(({ id }) => id)).toContain(middle.id);
    expect(await trail(`?to=${encodeURIComponent(all.at(-1)!.at)}`, eve)).toEqual([]);
    for (const query of ['limit=1001', 'limit=0', 'after=nonsense', 'outcome=Maybe', 'from=yesterday', 'format=xml'])
      expect([
        query,
        (await call('GET', `/audit${query.startsWith('format') ? '/export' : ''}?${query}`, undefined, eve)).status,
      ]).toEqual([query, 400]);
  });

  it('is exported line by line, without formulas that a spreadsheet would compute', async () => {
    const trailOf = app().get(AuditTrail);
    const formula = '=HYPERLINK("http://example.org";"x")';
    await trailOf.record({
      action: 'invoices.approve',
      actor: formula,
      targetKind: 'invoice',
      targetIds: ['+1'],
      details: { of: '"3"' },
    });
    const json = await call('GET', '/audit/export?action=invoices.approve', undefined, BY_KEY);
    expect(json.headers.get('content-type')).toBe('application/x-ndjson');
    expect(json.headers.get('content-disposition')).toContain('audit.ndjson');
    const lines = json.text
      .trim()
      .split('\n')
      .map((text) => JSON.parse(text) as Entry);
    expect(lines).toMatchObject([{ actorKind: 'Application', actor: formula, outcome: 'Succeeded' }]);
    const csv = await call('GET', '/audit/export?format=csv&action=invoices.approve', undefined, BY_KEY);
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const [head, row, end] = csv.text.split('\r\n');
    expect(head).toMatch(/^at,id,actorKind,actor,action,/);
    expect(row).toContain(`,"'=HYPERLINK(""http://example.org"";""x"")","invoices.approve","invoice","'+1",1,`);
    expect(row).toMatch(/,"\{""of"":""\\""3\\""""\}"$/);
    expect(end).toBe('');
    const none = await call('GET', '/audit/export?action=nothing.here', undefined, BY_KEY);
    expect([none.status, none.text]).toEqual([200, '']);
  });

  it('records a limited number of refusals of unknown callers, and counts the others', async () => {
    const statuses = new Set<number>();
    for (let n = 0; n < 60; n++) statuses.add((await call('POST', '/admin/workflow-runtime/pause')).status);
    expect([...statuses]).toEqual([401]);
    const found = await trail('?action=runtime.pause&limit=1000');
    expect(found.length).toBeLessThanOrEqual(20);
    // A user has a budget of the user's own.
    const bob = await loggedIn('bob', 'battery staple');
    await call('POST', '/admin/workflow-runtime/pause', undefined, bob);
    expect(await latest('runtime.pause')).toMatchObject({ actor: 'bob', code: 'WM8005' });
  });
});

describe.each(pairsOf(ADAPTERS, 'fastify'))('An audit trail that cannot be written, on %s', (adapter) => {
  it('does not prevent answers, and lost entries are counted', async () => {
    const server = await ApiServer.start(adapter);
    const { audit } = server.app.get(WorkflowPersistence);
    audit.add = () => Promise.reject(new Error('the disk is full'));
    expect((await server.call('POST', '/admin/workflow-runtime/pause')).status).toBe(200);
    expect((await server.call('POST', '/admin/workflow-runtime/resume')).status).toBe(200);
    expect((await server.call('DELETE', '/workflow-instances/none')).status).toBe(404);
    expect((await server.call('GET', '/audit/status')).json).toEqual({ written: 0, lost: 3 });
    await server.close();
  });
});

describe.each(pairsOf(ADAPTERS, 'fastify'))('The option audit on %s', (adapter) => {
  const actions = async (server: ApiServer) =>
    (await server.call('GET', '/audit')).json.items.map(({ action }: Entry) => action);

  it('switches the recording of requests off, but not that of the application', async () => {
    const server = await ApiServer.start(adapter, { audit: false });
    await server.call('POST', '/admin/workflow-runtime/pause');
    await server.call('POST', '/admin/workflow-runtime/resume');
    await server.app.get(AuditTrail).record({ action: 'own.change' });
    expect(await actions(server)).toEqual(['own.change']);
    await server.close();
  });

  it('leaves out the actions that it names', async () => {
    const server = await ApiServer.start(adapter, { audit: { except: ['instances.start'] } });
    await server.deploy('quiet', line('A'));
    await server.execute('quiet');
    await deployFaulting(server);
    expect(await actions(server)).toEqual(['definitions.save', 'definitions.save']);
    await server.close();
  });

  it('refuses unknown actions', async () => {
    await expect(ApiServer.start(adapter, { audit: { except: ['instances.begin'] } })).rejects.toThrow(
      /'audit\.except' must be .*'activities\.test', .*, not 'instances\.begin'\./,
    );
    await expect(ApiServer.start(adapter, { audit: { refusalsPerHour: -1 } })).rejects.toThrow(
      /audit\.refusalsPerHour/,
    );
  });

  it('records no logins without authentication', async () => {
    const server = await ApiServer.start(adapter);
    expect((await server.call('POST', '/identity/login', { username: 'admin', password: 'password' })).status).toBe(
      200,
    );
    expect(await actions(server)).toEqual([]);
    await server.close();
  });

  it('records the number of omitted entries when the node shuts down', async () => {
    const server = await ApiServer.start(adapter, { authentication, audit: { refusalsPerHour: 0 } });
    const { audit } = server.app.get(WorkflowPersistence);
    for (let n = 0; n < 3; n++) await server.call('POST', '/admin/workflow-runtime/pause');
    expect(await audit.find({}, { limit: 9 })).toEqual([]);
    await server.close();
    expect(await audit.find({}, { limit: 9 })).toMatchObject([
      { action: 'audit.omit-refusals', actorKind: 'Application', outcome: 'Refused', details: { omitted: 3 } },
    ]);
  });
});
