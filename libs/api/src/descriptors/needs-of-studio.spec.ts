import { IWorkflowDefinitionPublisher } from '@waymark/runtime';
import { ResilienceStrategies, SystemClock } from '@waymark/runtime/adapter';
import { pairsOf } from '../../../../test/support/pairs.js';
import { ADAPTERS, deployFaulting, model, line, sequence, texts, useServer } from '../module/api-harness.spec.js';

/** No two looks at it see the same time. */
class TickingClock extends SystemClock {
  private ticks = 0;
  override now(): number {
    return super.now() + ++this.ticks;
  }
}

describe.each(pairsOf(ADAPTERS, 'express'))('what Elsa Studio needs, on %s', (adapter) => {
  const { app, call, deploy, execute } = useServer(adapter, deployFaulting, {}, { clock: new TickingClock() });

  it('lists storage drivers under the names that definitions use', async () => {
    const { variables } = await deploy('stored', line('A'), { variables: [texts] });
    const drivers = (await call('GET', '/descriptors/storage-drivers')).json.items;
    const names = drivers.map((driver: { typeName: string }) => driver.typeName);
    expect(names).toContain(variables[0].storageDriverTypeName);
    expect(names).toEqual(['WorkflowInstanceStorageDriver', 'MemoryStorageDriver', 'WorkflowStorageDriver']);
  });

  it('a variable keeps its driver in any spelling', async () => {
    const old = {
      ...texts,
      storageDriverTypeName: 'Elsa.Workflows.WorkflowInstanceStorageDriver, Elsa.Workflows.Core',
    };
    const { variables } = await deploy('stored-elsewhere', line('A'), { variables: [old] });
    expect(variables[0].storageDriverTypeName).toBe('WorkflowInstanceStorageDriver');
  });

  it('expressions in languages of Elsa are shown and not offered', async () => {
    const { items, count } = (await call('GET', '/descriptors/expression-descriptors')).json;
    expect(count).toBe(items.length);
    expect(items).toEqual(
      expect.arrayContaining([
        {
          type: 'CSharp',
          displayName: 'C#',
          isSerializable: true,
          isBrowsable: false,
          properties: { MonacoLanguage: 'csharp' },
        },
        expect.objectContaining({ type: 'Python', isBrowsable: false, properties: { MonacoLanguage: 'python' } }),
      ]),
    );
  });

  it('the root activity of a faulted instance is shown as ended', async () => {
    const { id, finishedAt } = await execute('faulting');
    const { items } = (await call('GET', `/activity-executions/list?workflowInstanceId=${id}`)).json;
    expect(items.map((r: { activityId: string; status: string }) => [r.activityId, r.status])).toEqual([
      ['Workflow1', 'Faulted'],
      ['Seq', 'Running'],
      ['X', 'Faulted'],
    ]);
    const [root] = items;
    expect(root.completedAt).toBe(finishedAt);
    expect((await call('GET', `/activity-executions/${root.id}`)).json).toEqual(root);
    const summaries = (await call('GET', `/activity-execution-summaries/list?workflowInstanceId=${id}`)).json.items;
    expect(summaries[0]).toMatchObject({ id: root.id, status: 'Faulted', completedAt: finishedAt });
    // What Studio asks for again and again, of the container that it shows first.
    const seq = items[1].id;
    expect(summaries[1]).toMatchObject({ id: seq, status: 'Faulted', completedAt: finishedAt });
    for (const route of [`/activity-executions/by-id?id=${seq}`, `/activity-executions/${seq}`])
      expect((await call('GET', route)).json).toMatchObject({ status: 'Faulted', completedAt: finishedAt });
  });

  it('a list of what has completed, or has not, decides by what it shows', async () => {
    const { id } = await execute('faulting');
    const activities = async (route: string, completed: boolean) =>
      (await call('GET', `/${route}/list?workflowInstanceId=${id}&completed=${completed}`)).json.items.map(
        ({ activityId }: { activityId: string }) => activityId,
      );
    expect(await activities('activity-executions', false)).toEqual(['Seq', 'X']);
    expect(await activities('activity-executions', true)).toEqual(['Workflow1']);
    expect(await activities('activity-execution-summaries', false)).toEqual(['X']);
    expect(await activities('activity-execution-summaries', true)).toEqual(['Workflow1', 'Seq']);
    const count = `/activity-executions/count?workflowInstanceId=${id}&completed=true`;
    expect((await call('GET', count)).json).toEqual({ count: 1 });
  });

  it('the root activity of a running instance is shown as running', async () => {
    const event = {
      id: 'E',
      type: 'Elsa.Event',
      eventName: { typeName: 'String', expression: { type: 'Literal', value: 'x' } },
    };
    await deploy('waits', sequence(event));
    const { id } = await execute('waits');
    const { items } = (await call('GET', `/activity-executions/list?workflowInstanceId=${id}`)).json;
    for (const record of items) {
      expect(record.status).toBe('Running');
      expect(record).not.toHaveProperty('completedAt');
    }
  });

  it('a rolled-back version gets a creation time of its own', async () => {
    const first = (await call('POST', '/workflow-definitions', { model: model('rolled', line('A')), publish: true }))
      .json;
    const second = (await call('POST', '/workflow-definitions', { model: model('rolled', line('B')) })).json;
    const reverted = (await call('POST', '/workflow-definitions/rolled/revert/1')).json;
    const createdAt = (answer: { createdAt: string }) => new Date(answer.createdAt).getTime();
    expect(reverted.version).toBe(3);
    expect(createdAt(reverted)).toBeGreaterThanOrEqual(createdAt(second.workflowDefinition));
    expect(reverted.createdAt).not.toBe(first.workflowDefinition.createdAt);
  });

  it('an open server takes the login of a new Elsa server, which grants nothing, and no other', async () => {
    const login = await call('POST', '/identity/login', { username: 'admin', password: 'password' });
    expect(login).toMatchObject({ status: 200, json: { isAuthenticated: true } });
    const claims = JSON.parse(Buffer.from(login.json.accessToken.split('.')[1], 'base64url').toString());
    expect(claims).toMatchObject({ name: 'admin', permissions: '*', token_use: 'access' });
    const bearer = { authorization: `Bearer ${login.json.refreshToken}` };
    expect((await call('POST', '/identity/refresh-token', {}, bearer)).json.isAuthenticated).toBe(true);
    for (const wrong of [
      { username: 'anna', password: 'password' },
      { username: 'admin', password: 'x' },
    ])
      expect(await call('POST', '/identity/login', wrong)).toMatchObject({
        status: 200,
        json: { isAuthenticated: false },
      });
  });

  it('resilience strategies and retries are answered', async () => {
    expect((await call('GET', '/resilience/strategies?category=Nothing')).json).toEqual({ items: [], count: 0 });
    app()
      .get(ResilienceStrategies)
      .register('HTTP', [{ id: 'patient', displayName: 'Patient' }]);
    const expected = { items: [{ id: 'patient', displayName: 'Patient' }], count: 1 };
    expect((await call('GET', '/resilience/strategies?category=http')).json).toEqual(expected);
    expect((await call('GET', '/resilience/strategies')).json).toEqual(expected);
    expect((await call('GET', '/resilience/retries/nothing?skip=0&take=10')).json).toEqual({
      items: [],
      totalCount: 0,
      links: [],
    });
    expect((await call('GET', '/features/installed/Elsa.Resilience')).status).toBe(200);
  });

  it('flowcharts from code have positions, which are not stored', async () => {
    const node = (id: string) => ({ ...line(id), version: 1 });
    const arrow = (from: string, to: string) => ({ source: { activity: from }, target: { activity: to } });
    const root = {
      id: 'Flow',
      type: 'Elsa.Flowchart',
      version: 1,
      activities: [node('A'), node('B'), node('C'), node('D')],
      connections: [arrow('A', 'B'), arrow('A', 'C'), arrow('B', 'D'), arrow('C', 'D'), arrow('D', 'B')],
    };
    const publisher = app().get(IWorkflowDefinitionPublisher, { strict: false });
    await publisher.saveAndPublish({ definitionId: 'drawn', name: 'Drawn', isReadonly: true, root: root as never });
    const shown = (await call('GET', '/workflow-definitions/by-definition-id/drawn')).json;
    const places = shown.root.activities.map((a: { id: string; metadata: { designer: { position: object } } }) => [
      a.id,
      a.metadata.designer.position,
    ]);
    expect(Object.fromEntries(places)).toEqual({
      A: { x: 100, y: 100 },
      B: { x: 400, y: 100 },
      C: { x: 400, y: 220 },
      D: { x: 700, y: 100 },
    });
    const inner = (await call('GET', `/workflow-definitions/subgraph/${shown.id}?parentNodeId=Workflow1:Flow`)).json;
    expect(inner.activity.activities[3].metadata.designer.position).toEqual({ x: 700, y: 100 });
    const file = (await call('GET', '/workflow-definitions/drawn/export')).json;
    expect(file.root.activities[0].metadata?.designer).toBeUndefined();
  });

  describe('a definition that was imported without positions', () => {
    const arrow = (from: string, to: string) => ({ source: { activity: from }, target: { activity: to } });
    const at = (x: number, y: number) => ({ designer: { position: { x, y } } });
    const flow = (id: string, activities: readonly object[], ...connections: readonly object[]) =>
      ({ id, type: 'Elsa.Flowchart', version: 1, activities, connections }) as const;
    interface Drawn {
      readonly id: string;
      readonly metadata: { readonly designer: { readonly position: { readonly x: number; readonly y: number } } };
    }
    type Shown = { readonly id: string; readonly metadata?: { readonly designer?: { readonly position?: object } } };
    const places = ({ activities }: { activities: readonly Shown[] }) =>
      Object.fromEntries(activities.map(({ id, metadata }) => [id, metadata?.designer?.position]));
    const imported = (definitionId: string, root: object) =>
      call('POST', '/workflow-definitions/import', { definitionId, name: definitionId, root });
    const read = async (definitionId: string, query = '?layout=true') =>
      (await call('GET', `/workflow-definitions/by-definition-id/${definitionId}${query}`)).json;

    it('is laid out for designers, nested flowcharts too, and stored as it was', async () => {
      const inner = flow('Inner', [line('I'), line('J')], arrow('I', 'J'));
      const body = { id: 'Loop', type: 'Elsa.While', version: 1, body: inner };
      await imported('undrawn', flow('Flow', [line('A'), body], arrow('A', 'Loop')));
      const shown = await read('undrawn');
      expect(places(shown.root)).toEqual({ A: { x: 100, y: 100 }, Loop: { x: 400, y: 100 } });
      expect(places(shown.root.activities[1].body)).toEqual({ I: { x: 100, y: 100 }, J: { x: 400, y: 100 } });
      const byId = (await call('GET', `/workflow-definitions/by-id/${shown.id}?layout=true`)).json;
      expect(byId.root).toEqual(shown.root);
      const [, loop] = shown.root.activities;
      const parts = `/workflow-definitions/subgraph/${shown.id}?layout=true&parentNodeId=${loop.nodeId}`;
      expect((await call('GET', parts)).json.activity).toEqual(loop);

      for (const { root } of [
        await read('undrawn', ''),
        (await call('GET', '/workflow-definitions/undrawn/export')).json,
      ])
        expect(places(root)).toEqual({ A: undefined, Loop: undefined });
    });

    it('is laid out in the answer to the import that a designer shows', async () => {
      const root = flow('Flow', [line('A'), line('B')], arrow('A', 'B'));
      for (const [verb, route] of [
        ['POST', '/workflow-definitions/import'],
        ['PUT', '/workflow-definitions/import'],
        ['POST', '/workflow-definitions/shown/import'],
      ] as const) {
        const { json } = await call(verb, `${route}?layout=true`, { definitionId: 'shown', name: 'shown', root });
        expect(places(json.root)).toEqual({ A: { x: 100, y: 100 }, B: { x: 400, y: 100 } });
      }
      expect(places((await read('shown', '')).root)).toEqual({ A: undefined, B: undefined });
    });

    it('is laid out if all of its activities are at one point', async () => {
      const pile = [line('A'), line('B')].map((each) => ({ ...each, metadata: at(0, 0) }));
      await imported('pile', flow('Flow', pile, arrow('A', 'B')));
      expect(places((await read('pile')).root)).toEqual({ A: { x: 100, y: 100 }, B: { x: 400, y: 100 } });
      expect(places((await read('pile', '')).root)).toEqual({ A: { x: 0, y: 0 }, B: { x: 0, y: 0 } });
    });

    it('is laid out but for what was moved off the pile', async () => {
      const pile = [line('A'), line('B')].map((each) => ({ ...each, metadata: at(0, 0) }));
      const moved = { ...line('C'), metadata: at(500, 20) };
      await imported('half', flow('Flow', [...pile, moved], arrow('A', 'B')));
      expect(places((await read('half')).root)).toEqual({
        A: { x: 500, y: 140 },
        B: { x: 800, y: 140 },
        C: { x: 500, y: 20 },
      });
    });

    it('has room for large activities, without which arrows are drawn across them', async () => {
      const node = (id: string, type: string, more = {}) => ({ id, type: `Elsa.${type}`, version: 1, ...more });
      const casesOf = (...labels: readonly string[]) => ({
        cases: labels.map((label) => ({ label, condition: { type: 'JavaScript', value: 'true' } })),
      });
      const activities = [
        node('Bulk', 'BulkDispatchWorkflows'),
        ...[node('If', 'If'), node('Switch', 'Switch', casesOf('Standard', 'Express', 'Overnight')), line('Line')],
        ...[node('Choice', 'FlowSwitch', casesOf('An outcome with a long name')), line('End')],
      ];
      const middle = ['If', 'Switch', 'Line'];
      const arrows = middle.flatMap((id) => [arrow('Bulk', id), arrow(id, 'Choice')]);
      await imported('large', flow('Flow', activities, ...arrows, arrow('Choice', 'End')));
      const { root } = await read('large');
      const places = Object.fromEntries(
        (root.activities as Drawn[]).map(({ id, metadata }) => [id, metadata.designer.position]),
      );
      // As Elsa Studio 3.8 draws them: width, with the names of outcomes beside them, and height.
      const sizes = {
        Bulk: [345, 108],
        If: [180, 108],
        Switch: [390, 108],
        Line: [215, 54],
        Choice: [385, 54],
      } as const;
      const gap = (from: keyof typeof sizes, to: string, axis: 'x' | 'y') =>
        places[to]![axis] - places[from]![axis] - sizes[from][axis === 'x' ? 0 : 1];
      expect([gap('If', 'Switch', 'y'), gap('Switch', 'Line', 'y')]).toEqual([66, 66]);
      const beside = [gap('Bulk', 'If', 'x'), gap('Switch', 'Choice', 'x'), gap('Choice', 'End', 'x')];
      expect(Math.min(...beside)).toBeGreaterThanOrEqual(40);
    });

    it('has what was drawn where it was, and the rest below', async () => {
      const drawn = { ...line('A'), metadata: at(40, 60) };
      const [b, c] = [{ ...line('B'), name: 'n'.repeat(50) }, line('C')];
      await imported('partly', flow('Flow', [drawn, b, c], arrow('A', 'B'), arrow('B', 'C')));
      expect(places((await read('partly')).root)).toEqual({
        A: { x: 40, y: 60 },
        B: { x: 40, y: 180 },
        // A long title needs room.
        C: { x: 640, y: 180 },
      });
      await imported('alone', flow('Flow', [{ ...line('A'), metadata: at(0, 0) }]));
      expect(places((await read('alone')).root)).toEqual({ A: { x: 0, y: 0 } });
    });
  });
});
