import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { ManagementOpenApi, WorkflowApiModule } from '@waymark/api';
import { IWorkflowRuntime, IWorkflowScheduler, type WorkflowPersistence } from '@waymark/runtime';
import { testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';
import { act, lit } from '../../libs/http/src/serving/testing/endpoint-definitions.js';
import { AnswerCheck } from '../../libs/api/src/openapi/testing/answer-check.js';
import { startWhole, type WholeApplication } from './whole-application.js';

const API = '/elsa/api';

/** Two hosts on one store, one on each adapter; requests go to the one or the other. */
describeOn(await testBackends(), 'schedules over REST on $name', (backend) => {
  let hosts: WholeApplication[];
  const stores: WorkflowPersistence[] = [];
  beforeAll(async () => {
    const apis = [
      { allowAnonymous: true },
      { authentication: { apiKeys: [{ key: 'reader', permissions: ['read:schedules'] }] } },
    ];
    const adapters = [new ExpressAdapter(), new FastifyAdapter()];
    hosts = [];
    for (const [index, adapter] of adapters.entries()) {
      const persistence = await backend.create();
      stores.push(persistence);
      hosts.push(await startWhole(adapter, { persistence, also: [WorkflowApiModule.forRoot(apis[index]!)] }));
    }
  });
  let check: AnswerCheck;
  beforeAll(() => {
    check = new AnswerCheck(hosts[0]!.app.get(ManagementOpenApi, { strict: false }).document());
  });
  afterAll(async () => {
    for (const host of hosts) await host.close();
    await backend.drop();
  });

  async function ask(method: string, path: string, body?: object) {
    const { status, text, headers } = await hosts[0]!.call(
      method,
      API + path,
      body && { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } },
    );
    const contentType = headers['content-type'] ?? '';
    expect(check.problemsOf({ method, path: API + path, status, contentType, text })).toEqual([]);
    return { status, json: text ? JSON.parse(text) : undefined };
  }
  const key = { headers: { Authorization: 'ApiKey reader' } };
  const published = async (...activities: Parameters<WholeApplication['publish']>[0]) => {
    const definitionId = await hosts[0]!.publish(activities);
    const { json } = await ask('GET', `/schedules?definitionId=${definitionId}&times=2`);
    if (!json.items) throw new Error(JSON.stringify(json));
    return { definitionId, schedule: json.items[0], totalCount: json.totalCount };
  };
  const timer = (interval: string) => act('Elsa.Timer', 'T', { interval: lit(interval, 'TimeSpan') }, true);

  it('schedules over REST are listed, paused on all nodes, fired by hand and resumed', async () => {
    const { definitionId, schedule, totalCount } = await published(timer('01:00:00'));
    expect(totalCount).toBe(1);
    expect(schedule).toMatchObject({
      kind: 'Timer',
      definitionId,
      version: 1,
      activityId: 'T',
      expression: '01:00:00',
      isPaused: false,
    });
    const [first, second] = schedule.nextTimes.map((time: string) => Date.parse(time));
    expect(second - first).toBe(3_600_000);

    const paused = await ask('POST', `/schedules/${schedule.id}/pause`);
    expect([paused.status, paused.json]).toEqual([200, expect.objectContaining({ isPaused: true, nextTimes: [] })]);
    const seen = await hosts[1]!.call('GET', `${API}/schedules?isPaused=true&definitionId=${definitionId}`, key);
    expect(JSON.parse(seen.text).items).toEqual([expect.objectContaining({ id: schedule.id, isPaused: true })]);

    const fired = await ask('POST', `/schedules/${schedule.id}/fire`, { requestKey: 'once' });
    expect([fired.status, fired.json.subStatus]).toEqual([200, 'Finished']);
    const again = await ask('POST', `/schedules/${schedule.id}/fire`, { requestKey: 'once' });
    expect([again.status, again.json.code]).toEqual([409, 'WM7007']);
    const { items } = await stores[0]!.instances.findMany({ definitionIds: [definitionId] });
    expect(items.map(({ id }) => id)).toEqual([fired.json.workflowInstanceId]);

    const resumed = await ask('POST', `/schedules/${schedule.id}/resume`);
    expect(Date.parse(resumed.json.nextTimes[0])).toBe(first);
    expect(resumed.json.isPaused).toBe(false);
  });

  it('schedules over REST are those of the application, too', async () => {
    const definitionId = await hosts[0]!.publish([act('Elsa.SetName', 'N', { value: lit('done') })]);
    // Ids are the application's: they may have anything in them that a store keeps.
    const id = `orders/${definitionId} & more`;
    const scheduler = hosts[0]!.app.get(IWorkflowScheduler);
    await scheduler.scheduleRecurring(id, '01:00:00', { definition: definitionId, input: { pin: 'never-shown' } });
    const listed = await ask('GET', `/schedules?origin=Application&definitionId=${definitionId}&times=1`);
    expect(listed.json).toEqual({
      items: [
        {
          id,
          origin: 'Application',
          kind: 'Timer',
          stimulus: 'Elsa.Timer',
          expression: '01:00:00',
          definitionId,
          isPaused: false,
          misfire: 'once',
          overlap: 'allow',
          nextTimes: [expect.any(String)],
        },
      ],
      totalCount: 1,
    });
    expect((await ask('GET', `/schedules?origin=Trigger&definitionId=${definitionId}`)).json.totalCount).toBe(0);
    const path = `/schedules/${encodeURIComponent(id)}`;
    expect((await ask('POST', `${path}/pause`)).json).toMatchObject({ id, isPaused: true, nextTimes: [] });
    const fired = await ask('POST', `${path}/fire`, {});
    expect([fired.status, fired.json.subStatus]).toEqual([200, 'Finished']);
    expect((await ask('POST', `${path}/resume`)).json).toMatchObject({ id, isPaused: false });
    expect(await hosts[1]!.app.get(IWorkflowScheduler).unschedule(id)).toBe(true);
    expect((await ask('GET', path)).json.code).toBe('WM4030');
  });

  it('schedules over REST show instances that wait for a time', async () => {
    const definitionId = await hosts[0]!.publish([act('Elsa.Delay', 'D', { timeSpan: lit('05:00:00', 'TimeSpan') })]);
    const client = await hosts[0]!.app.get(IWorkflowRuntime).createClient();
    await client.createAndRunInstance({ definition: definitionId });
    const { json } = await ask('GET', `/schedules/waiting?workflowInstanceId=${client.workflowInstanceId}`);
    expect(json.items).toEqual([
      expect.objectContaining({
        stimulus: 'Elsa.Delay',
        workflowInstanceId: client.workflowInstanceId,
        definitionId,
        definitionName: definitionId,
        definitionVersionId: expect.any(String),
        version: 1,
      }),
    ]);
    expect((await ask('GET', '/schedules/waiting?limit=0')).status).toBe(400);
  });

  it('schedules over REST answer invalid requests with errors', async () => {
    const { schedule } = await published(
      act('Elsa.StartAt', 'T', { dateTime: lit('2001-01-01T00:00:00Z', 'DateTimeOffset') }, true),
    );
    const answers = [
      await ask('POST', `/schedules/${schedule.id}/pause`),
      await ask('POST', '/schedules/absent/pause'),
      await ask('GET', '/schedules/absent'),
      await ask('GET', '/schedules?times=51'),
      await ask('GET', '/schedules?pageSize=501'),
      await ask('GET', '/schedules?kind=Never'),
    ];
    expect(answers.map(({ status, json }) => [status, json?.code ?? json?.statusCode])).toEqual([
      [409, 'WM4031'],
      [404, 'WM4030'],
      [404, 'WM4030'],
      [400, 400],
      [400, 400],
      [400, 400],
    ]);
    const refused = await hosts[1]!.call('POST', `${API}/schedules/${schedule.id}/fire`, key);
    expect(refused.status).toBe(403);
  });
});
