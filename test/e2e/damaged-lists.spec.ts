import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { EventEmitter2 } from '@nestjs/event-emitter';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { IWorkflowRuntime, IWorkflowScheduler, WorkflowEvent } from '@waymark/runtime';
import { act, lit } from '../../libs/http/src/serving/testing/endpoint-definitions.js';
import { testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';
import { byId, type DamagedHost, startDamagedHost } from './damaged-host.js';
import { startWhole, type WholeApplication } from './whole-application.js';

const API = '/elsa/api';

/** A burst that is stored by one of these nodes. */
async function nextCommit(nodes: readonly WholeApplication[]): Promise<void> {
  const waiting = new AbortController();
  const { signal } = waiting;
  try {
    await Promise.race(
      nodes.map(({ app }) => once(app.get(EventEmitter2), WorkflowEvent.WorkflowStateCommitted, { signal })),
    );
  } finally {
    waiting.abort();
  }
}

/** A row that was damaged is named in its list, and hides no other. Nothing fires: all of it is due in hours. */
describeOn(await testBackends('sqlite', 'mysql', 'postgres'), 'a damaged row in a list on $name', (backend) => {
  let rows: DamagedHost;
  let host: WholeApplication;
  beforeAll(async () => {
    rows = await startDamagedHost(backend);
    ({ host } = rows);
  });
  afterEach(() => rows.repair());
  afterAll(() => rows.close());

  const ask: DamagedHost['ask'] = (...given) => rows.ask(...given);
  const damage: DamagedHost['damage'] = (...given) => rows.damage(...given);
  const timer = () => act('Elsa.Timer', 'T', { interval: lit('03:00:00', 'TimeSpan') }, true);

  it('a list of schedules names a damaged trigger, which can be paused, and is not fired', async () => {
    const [damaged, whole] = [await host.publish([timer()]), await host.publish([timer()])];
    const { json: before } = await ask('GET', `/schedules?definitionId=${damaged}`);
    const { id } = before.items[0];
    const unreadable = await damage('triggers', 'data', id);
    const { status, json } = await ask('GET', `/schedules?definitionId=${damaged}&definitionId=${whole}`);
    expect([status, json.totalCount]).toEqual([200, 2]);
    expect(byId(json.items, id)).toMatchObject({ kind: 'Timer', definitionId: damaged, unreadable });
    expect(byId(json.items, id)).not.toHaveProperty('expression');
    expect(json.items.filter((item: object) => !('unreadable' in item))).toMatchObject([{ definitionId: whole }]);
    expect(JSON.stringify(json)).not.toContain('pa55');
    expect((await ask('GET', `/schedules/${id}`)).json).toMatchObject({ id, unreadable });
    expect((await ask('POST', `/schedules/${id}/fire`, {})).json.code).toBe('WM1054');
    expect((await ask('POST', `/schedules/${id}/pause`)).json).toMatchObject({ isPaused: true, unreadable });
    expect((await ask('POST', `/schedules/${id}/resume`)).json.code).toBe('WM1054');
  });

  it('a list of definitions names a damaged one, which can be deleted', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 3; n++) ids.push(await host.publish([act('Elsa.SetName', 'N', { value: lit('done') })]));
    const list = async () =>
      (await ask('GET', `/workflow-definitions?${ids.map((id) => `definitionIds=${id}`).join('&')}`)).json;
    const whole = await list();
    const { id, definitionId, version } = whole.items[1];
    const { code } = await damage('definitions', 'data', id);
    const unreadable = { code, message: expect.stringContaining(`of the row with the id "${id}"`) };
    const found = await list();
    expect(found.totalCount).toBe(3);
    expect(found.items.map((item: { id: string }) => item.id)).toEqual(
      whole.items.map((item: { id: string }) => item.id),
    );
    const seen = { definitionId, version, isLatest: true, isPublished: true, isMaterializerAvailable: false };
    expect(byId(found.items, id)).toMatchObject({ ...seen, unreadable });
    expect(found.items.filter((item: object) => !('unreadable' in item))).toEqual([whole.items[0], whole.items[2]]);
    expect((await ask('DELETE', `/workflow-definitions/${definitionId}`)).status).toBe(204);
    rows.forgetRepairs();
    expect((await list()).items).toEqual([whole.items[0], whole.items[2]]);
  });

  it('a list of schedules names a damaged schedule of the application', async () => {
    const definition = await host.publish([act('Elsa.SetName', 'N', { value: lit('done') })]);
    const scheduler = host.app.get(IWorkflowScheduler);
    for (const id of ['times', 'request', 'whole']) await scheduler.scheduleRecurring(id, '03:00:00', { definition });
    const times = await damage('schedules', 'times', 'times');
    const request = await damage('schedules', 'request', 'request');
    const { json } = await ask('GET', `/schedules?definitionId=${definition}`);
    expect(byId(json.items, 'times')).toMatchObject({ stimulus: 'Elsa.Timer', unreadable: times });
    expect(byId(json.items, 'request')).toMatchObject({ unreadable: request });
    expect(byId(json.items, 'whole')).toMatchObject({ expression: '03:00:00' });
    expect(byId(json.items, 'whole')).not.toHaveProperty('unreadable');
  });

  it('a list of waiting instances names a damaged bookmark, and its instance can be deleted', async () => {
    const definitionId = await host.publish([act('Elsa.Delay', 'D', { timeSpan: lit('05:00:00', 'TimeSpan') })]);
    const start = async () => {
      const client = await host.app.get(IWorkflowRuntime).createClient();
      await client.createAndRunInstance({ definition: definitionId });
      return client.workflowInstanceId;
    };
    const [damaged, whole] = [await start(), await start()];
    const of = async (instance: string) => (await ask('GET', `/schedules/waiting?workflowInstanceId=${instance}`)).json;
    const [{ id }] = (await of(damaged)).items;
    const unreadable = await damage('bookmarks', 'data', id);
    const { status, json } = await ask('GET', '/schedules/waiting');
    expect(status).toBe(200);
    expect(byId(json.items, id)).toMatchObject({ workflowInstanceId: damaged, unreadable, definitionId });
    expect(json.items).toHaveLength(2);
    expect((await of(whole)).items[0]).not.toHaveProperty('unreadable');
    expect((await ask('DELETE', `/workflow-instances/${damaged}`)).status).toBe(204);
    expect((await of(damaged)).items).toEqual([]);
  });

  it('a damaged trigger of an endpoint keeps no other from being served by a node that starts, and publishing again repairs it', async () => {
    const endpoint = (path: string) => [
      act('Elsa.HttpEndpoint', 'H', { path: lit(path), supportedMethods: lit(['GET'], 'String[]') }, true),
      act('Elsa.WriteHttpResponse', 'R', { content: lit(path) }),
    ];
    const [damaged] = [await host.publish(endpoint('damaged')), await host.publish(endpoint('whole'))];
    const id = (await host.persistence.triggers.findMany({ workflowDefinitionIds: [damaged] }))[0]!.id;
    await damage('triggers', 'data', id);
    rows.forgetRepairs();
    const persistence = await backend.create();
    const next = await startWhole(new FastifyAdapter(), { persistence });
    try {
      expect((await next.call('GET', '/workflows/whole')).text).toBe('whole');
      expect((await next.call('GET', '/workflows/damaged')).status).toBe(404);
    } finally {
      await next.close();
    }
    const json = { body: '{}', headers: { 'Content-Type': 'application/json' } };
    for (const route of ['retract', 'publish'])
      expect((await host.call('POST', `${API}/workflow-definitions/${damaged}/${route}`, json)).status).toBe(200);
    expect((await host.call('GET', '/workflows/damaged')).text).toBe('damaged');
  });

  it('a damaged row that is due keeps no other from being fired', async () => {
    const every = () => [act('Elsa.Timer', 'T', { interval: lit('00:00:01', 'TimeSpan') }, true)];
    const [damaged, whole] = [await host.publish(every()), await host.publish(every())];
    const [{ id }] = (await ask('GET', `/schedules?definitionId=${damaged}`)).json.items;
    await damage('triggers', 'data', id);
    const definition = await host.publish([act('Elsa.SetName', 'N', { value: lit('done') })]);
    const scheduler = host.app.get(IWorkflowScheduler);
    for (const own of ['due-damaged', 'due-whole']) await scheduler.scheduleRecurring(own, '00:00:01', { definition });
    await damage('schedules', 'request', 'due-damaged');
    const persistence = await backend.create();
    const next = await startWhole(new FastifyAdapter(), { persistence });
    try {
      const count = (of: string) => persistence.instances.count({ definitionIds: [of] });
      const before = [await count(whole), await count(definition)];
      const after = async () => [await count(whole), await count(definition)];
      const isFired = async () => (await after()).every((now, index) => now > before[index]! + 1);
      while (!(await isFired())) await nextCommit([host, next]);
      // Its failures are those of one schedule.
      expect((await ask('GET', `/schedules/${id}`)).json).toMatchObject({ unreadable: { code: 'WM1054' } });
    } finally {
      for (const own of ['due-damaged', 'due-whole']) expect(await scheduler.unschedule(own)).toBe(true);
      rows.forgetRepairs();
      await next.close();
    }
  }, 60_000);
});
