import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { IWorkflowRuntime, type AlterationPlan, type BulkPlan } from '@waymark/runtime';
import type { BookmarkQueueItem } from '@waymark/runtime/adapter';
import { act, lit } from '../../libs/http/src/serving/testing/endpoint-definitions.js';
import { testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';
import { byId, type DamagedHost, startDamagedHost } from './damaged-host.js';

const AT = new Date('2026-01-01T00:00:00Z');

/** A row that was damaged is named in its list, and hides no other. */
describeOn(await testBackends('sqlite', 'mysql', 'postgres'), 'damaged work in a list on $name', (backend) => {
  let damaged: DamagedHost;
  beforeAll(async () => {
    damaged = await startDamagedHost(backend);
  });
  afterEach(() => damaged.repair());
  afterAll(() => damaged.close());

  const ask: DamagedHost['ask'] = (...given) => damaged.ask(...given);

  it('a list of bulk plans names a damaged one, which can be cancelled', async () => {
    const { bulkPlans } = damaged.host.persistence;
    const counts = { selected: 1, isSelected: true, visited: 0, changed: 0, failed: 0, failures: [], createdAt: AT };
    const of = (id: string): BulkPlan => ({
      ...{ id, action: 'CancelInstances', selection: [{ ids: ['x'] }], status: 'Running', ...counts },
      requestedBy: { actorKind: 'User', actor: 'ann', isAudited: true },
    });
    for (const id of ['damaged', 'failures', 'whole']) await bulkPlans.submit(of(id));
    const unreadable = await damaged.damage('bulk_plans', 'data', 'damaged');
    const ofFailures = await damaged.damage('bulk_plans', 'failures', 'failures');
    const { status, json } = await ask('GET', '/bulk-actions/plans');
    expect([status, json.totalCount]).toEqual([200, 3]);
    const known = { action: 'CancelInstances', status: 'Running', requestedBy: { actorKind: 'User', actor: 'ann' } };
    expect(byId(json.items, 'damaged')).toMatchObject({ ...known, filters: [], unreadable });
    expect(byId(json.items, 'failures')).toMatchObject({
      filters: [{ idCount: 1 }],
      failures: [],
      unreadable: ofFailures,
    });
    expect(byId(json.items, 'whole')).not.toHaveProperty('unreadable');
    expect(JSON.stringify(json)).not.toContain('pa55');
    for (const id of ['damaged', 'failures']) {
      const answer = await ask('POST', `/bulk-actions/plans/${id}/cancel`);
      expect([answer.status, answer.json.status]).toEqual([200, 'Cancelled']);
    }
  });

  it('a damaged plan of alterations is named, with its jobs, and can be cancelled', async () => {
    const { alterations } = damaged.host.persistence;
    const plan: AlterationPlan = {
      ...{ id: 'plan', alterations: [{ type: 'Cancel' }], submitted: [{ type: 'Cancel' }], status: 'Pending' },
      ...{ workflowInstanceFilter: { workflowInstanceIds: ['x', 'y'] }, createdAt: AT },
    };
    await alterations.submit(plan);
    const job = { planId: 'plan', workflowInstanceId: 'x', status: 'Pending', createdAt: AT } as const;
    const jobs = ['job', 'other'].map((id) => ({ ...job, id }));
    await alterations.cut({ plan, cursor: undefined }, { jobs, messages: [], next: undefined }, AT);
    const entry = { message: 'done', logLevel: 'Information' as const, timestamp: AT, eventName: 'Altered' };
    await alterations.finishJob('job', { status: 'Completed', log: [entry] }, AT);
    const [ofPlan, ofJob] = [
      await damaged.damage('alteration_plans', 'data', 'plan'),
      await damaged.damage('alteration_jobs', 'log', 'job'),
    ];
    const { status, json } = await ask('GET', '/alterations/plan');
    expect([status, json.plan]).toMatchObject([200, { status: 'Running', alterations: [], unreadable: ofPlan }]);
    expect(json.jobs).toMatchObject([{ id: 'job', status: 'Completed', unreadable: ofJob }, { id: 'other' }]);
    const cancelled = await ask('POST', '/alterations/plan/cancel');
    expect([cancelled.status, cancelled.json.plan]).toMatchObject([200, { status: 'Failed', isCancelled: true }]);
    expect((await ask('POST', '/alterations/plan/cancel')).status).toBe(409);
    expect((await ask('POST', '/alterations/none/cancel')).status).toBe(404);
  });

  it('a list of dead letters names a damaged stimulus, which is not replayed, and can be deleted in bulk', async () => {
    const { queue } = damaged.host.persistence;
    const of = (id: string): BookmarkQueueItem => ({
      ...{ id, activityTypeName: 'Nobody waits', stimulusHash: id, input: { n: 1 } },
      ...{ createdAt: AT, expiresAt: new Date('2100-01-01T00:00:00Z'), attempts: 0 },
    });
    for (const id of ['letter', 'whole-letter']) {
      await queue.enqueue(of(id));
      await queue.fail(id, 'it fails', 1, new Date());
    }
    const unreadable = await damaged.damage('dead_letters', 'data', 'letter');
    const { status, json } = await ask('GET', '/bookmark-queue/dead-letters');
    expect([status, json.totalCount]).toEqual([200, 2]);
    expect(byId(json.items, 'letter')).toMatchObject({ reason: 'Failed', attempts: 1, unreadable });
    expect(byId(json.items, 'whole-letter')).toMatchObject({ input: { n: 1 } });
    expect((await ask('GET', '/bookmark-queue/dead-letters/letter')).json).toMatchObject({ unreadable });
    expect((await ask('POST', '/bookmark-queue/dead-letters/letter/replay')).json.code).toBe('WM1054');
    const all = await ask('POST', '/bulk-actions/delete/bookmark-queue/dead-letters', {
      ids: ['letter', 'whole-letter'],
    });
    expect(all.json).toEqual({ deleted: 2 });
    damaged.forgetRepairs();
  });

  it('an inbox names a damaged task, which cannot be changed', async () => {
    const asks = (name: string) =>
      act('Waymark.UserTask', name, {
        taskName: lit(name),
        title: lit(name),
        candidateUsers: lit(['ann'], 'List<String>'),
      });
    const definition = await damaged.host.publish([asks('check')]);
    const runtime = damaged.host.app.get(IWorkflowRuntime);
    for (let n = 0; n < 2; n++) await (await runtime.createClient()).createAndRunInstance({ definition });
    const list = async () => (await ask('GET', `/user-tasks?scope=All&workflowDefinitionId=${definition}`)).json.items;
    const [{ id }, whole] = await list();
    const unreadable = await damaged.damage('user_tasks', 'data', id);
    const items = await list();
    expect(byId(items, id)).toMatchObject({
      name: 'check',
      title: '',
      outcomes: [],
      candidateUsers: ['ann'],
      unreadable,
    });
    expect(byId(items, whole.id)).toEqual(whole);
    expect((await ask('GET', `/user-tasks/${id}`)).json).toMatchObject({ unreadable });
    expect((await ask('POST', `/user-tasks/${id}/claim`)).json.code).toBe('WM1054');
    await damaged.repair();
    await damaged.damage('user_tasks', 'candidates', id);
    expect(byId(await list(), id)).toMatchObject({ title: 'check', candidateUsers: [], candidateGroups: [] });
  });

  it('the audit trail names a damaged entry', async () => {
    const { audit } = damaged.host.persistence;
    const entry = { actorKind: 'User', actor: 'ann', action: 'test', outcome: 'Succeeded', at: AT } as const;
    const more = { targetIds: ['t'], targetCount: 1, details: {} };
    await audit.add(['entry', 'whole-entry'].map((id) => ({ ...entry, ...more, id })));
    const unreadable = await damaged.damage('audit_entries', 'data', 'entry');
    const { items } = (await ask('GET', '/audit?action=test')).json;
    expect(byId(items, 'entry')).toMatchObject({ actor: 'ann', action: 'test', targetIds: [], unreadable });
    expect(byId(items, 'whole-entry')).toMatchObject({ targetIds: ['t'] });
    const { text } = await damaged.host.call('GET', '/elsa/api/audit/export?action=test');
    expect(
      text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).unreadable),
    ).toEqual([undefined, unreadable]);
  });
});
