// Workflow instances over the REST API: look-up, lists, journal, activity executions, export, deletion.
import { W, event, executeWorkflow, forEach, list, seq, workflow } from '../lib/build.mjs';

const E = encodeURIComponent;
const blocking = (t, id = t.id()) =>
  workflow(id, seq('Seq', [W('1', 'Line 1'), event('Ev', t.id('go')), W('2', 'Line 2')]));
const quick = (t, id = t.id()) => workflow(id, seq('Seq', [W('1', 'Line 1'), W('2', 'Line 2')]));
const ids = (l) => l.map((i) => i.id);

export default {
  group: 'instances',
  description: 'instances, journal, activity executions',
  cases: [
    {
      name: 'an instance',
      async run(t) {
        const r = await t.run(quick(t), { correlationId: t.id('corr'), name: 'Named' });
        const i = await t.instance(r.instanceId);
        t.eq(
          [
            i.id,
            i.definitionId,
            i.definitionVersionId,
            i.version,
            i.status,
            i.subStatus,
            i.correlationId,
            i.name,
            i.incidentCount,
          ],
          [r.instanceId, t.id(), r.definition.id, 1, 'Finished', 'Finished', t.id('corr'), 'Named', 0],
          'fields',
        );
        t.eq(
          [
            i.workflowState.id,
            i.workflowState.definitionId,
            i.workflowState.definitionVersionId,
            i.workflowState.definitionVersion,
          ],
          [r.instanceId, t.id(), r.definition.id, 1],
          'fields of the state',
        );
        t.ok(
          new Date(i.createdAt) <= new Date(i.finishedAt),
          `createdAt ${i.createdAt} before finishedAt ${i.finishedAt}`,
        );
      },
    },
    {
      name: 'an unknown instance is 404',
      async run(t) {
        const r = await t.run(quick(t));
        t.eq((await t.instance(r.instanceId)).id, r.instanceId, 'a known one');
        for (const p of ['', '/execution-state'])
          await t.api('GET', `/workflow-instances/${t.id('nope')}${p}`, { expect: 404 });
        await t.api('DELETE', `/workflow-instances/${t.id('nope')}`, { expect: 404 });
      },
    },
    {
      name: 'execution state',
      async run(t) {
        const r = await t.run(blocking(t));
        let s = await t.apiJson('GET', `/workflow-instances/${E(r.instanceId)}/execution-state`);
        t.eq([s.status, s.subStatus], ['Running', 'Suspended'], 'suspended');
        const before = s.updatedAt;
        await t.trigger(t.id('go'), { workflowInstanceId: r.instanceId });
        await t.finished(r.instanceId);
        s = await t.apiJson('GET', `/workflow-instances/${E(r.instanceId)}/execution-state`);
        t.eq([s.status, s.subStatus], ['Finished', 'Finished'], 'finished');
        t.ok(new Date(s.updatedAt) >= new Date(before), 'updatedAt moves on');
      },
    },
    {
      name: 'list by correlation id, name and version',
      async run(t) {
        await t.deploy(quick(t));
        const a = await t.execute(t.id(), { correlationId: t.id('c1'), name: t.id('n1') });
        await t.save(quick(t), { publish: true });
        const b = await t.execute(t.id(), { correlationId: t.id('c2'), name: t.id('n2') });
        const find = async (f) => ids(await t.instances(f));
        t.eq(await find({ correlationId: t.id('c1') }), [a.instanceId], 'correlationId');
        t.eq(await find({ name: t.id('n2') }), [b.instanceId], 'name');
        t.eq(await find({ definitionId: t.id(), version: 2 }), [b.instanceId], 'version');
      },
    },
    {
      name: 'list: pages and order',
      async run(t) {
        await t.deploy(quick(t));
        const made = [];
        for (let n = 0; n < 5; n++) {
          made.push((await t.execute(t.id(), { name: `n${n}` })).instanceId);
          await t.sleep(30);
        }
        const page = async (f) => t.apiJson('POST', '/workflow-instances', { body: { definitionId: t.id(), ...f } });
        let p = await page({ page: 0, pageSize: 2, orderBy: 'Created', orderDirection: 'Ascending' });
        t.eq([p.totalCount, ids(p.items)], [5, made.slice(0, 2)], 'first page, ascending');
        p = await page({ page: 2, pageSize: 2, orderBy: 'Created', orderDirection: 'Ascending' });
        t.eq(ids(p.items), made.slice(4), 'last page');
        p = await page({ page: 0, pageSize: 10, orderBy: 'Created', orderDirection: 'Descending' });
        t.eq(ids(p.items), [...made].reverse(), 'descending');
        p = await page({ page: 0, pageSize: 10, orderBy: 'Name', orderDirection: 'Descending' });
        t.eq(
          p.items.map((i) => i.name),
          ['n4', 'n3', 'n2', 'n1', 'n0'],
          'by name',
        );
        p = await page({ page: 0, pageSize: 10 });
        t.eq(ids(p.items), [...made].reverse(), 'newest first by default');
      },
    },
    {
      name: 'journal: numbering goes on after a suspension',
      async run(t) {
        const r = await t.run(blocking(t));
        await t.trigger(t.id('go'), { workflowInstanceId: r.instanceId });
        await t.finished(r.instanceId);
        await t.eventually(async () => {
          const s = (await t.journal(r.instanceId)).map((e) => e.sequence);
          t.eq(new Set(s).size, s.length, 'distinct sequence numbers');
          t.eq(await t.started(r.instanceId, ['1', 'Ev', '2']), ['1', 'Ev', '2'], 'order');
        });
      },
    },
    {
      name: 'journal: pages',
      async run(t) {
        const r = await t.run(
          workflow(
            t.id(),
            seq(
              'Seq',
              Array.from({ length: 6 }, (_, i) => W(`L${i}`, `line ${i}`)),
            ),
          ),
        );
        await t.waitFor(async () =>
          (await t.journal(r.instanceId)).some((e) => e.activityId === 'L5' && e.eventName === 'Completed'),
        );
        const get = (q) => t.apiJson('GET', `/workflow-instances/${E(r.instanceId)}/journal`, { query: q });
        const all = await get({ page: 0, pageSize: 100 });
        const a = await get({ page: 0, pageSize: 5 }),
          b = await get({ page: 1, pageSize: 5 });
        t.eq([a.items.length, b.items.length, a.totalCount], [5, 5, all.totalCount], 'pages');
        t.eq(
          [...a.items, ...b.items].map((e) => e.id),
          all.items.slice(0, 10).map((e) => e.id),
          'entries',
        );
        const s = await get({ skip: 3, take: 4 });
        t.eq(
          s.items.map((e) => e.id),
          all.items.slice(3, 7).map((e) => e.id),
          'skip and take',
        );
      },
    },
    {
      name: 'journal: last entry of an activity',
      async run(t) {
        const r = await t.run(quick(t));
        await t.eventually(async () =>
          t.eq(
            (await t.apiJson('GET', `/workflow-instances/${E(r.instanceId)}/journal/1`)).eventName,
            'Completed',
            'eventName',
          ),
        );
        await t.api('GET', `/workflow-instances/${E(r.instanceId)}/journal/nope`, { expect: 404 });
      },
    },
    {
      name: 'activity executions: summaries',
      async run(t) {
        const r = await t.run(quick(t));
        await t.eventually(async () => {
          const node = (await t.records(r.instanceId)).find((x) => x.activityId === '1').activityNodeId;
          const s = await t.apiJson('GET', '/activity-execution-summaries/list', {
            query: { workflowInstanceId: r.instanceId, activityNodeId: node },
          });
          t.eq(
            s.items.map((x) => [x.activityId, x.status]),
            [['1', 'Completed']],
            'summaries',
          );
        });
      },
    },
    {
      name: 'activity executions: count',
      requires: ['javascript'],
      async run(t) {
        const r = await t.run(workflow(t.id(), forEach('Each', list([1, 2, 3]), W('W', 'x'))));
        await t.finished(r.instanceId);
        await t.eventually(async () =>
          t.eq(
            (
              await t.apiJson('GET', '/activity-executions/count', {
                query: { workflowInstanceId: r.instanceId, activityId: 'W' },
              })
            ).count,
            3,
            'count',
          ),
        );
      },
    },
    {
      name: 'a child instance names its parent',
      async run(t) {
        const r = await t.run([
          workflow(t.id('child'), seq('S', [W('C', 'x')])),
          workflow(t.id('parent'), seq('S', [executeWorkflow('Ex', t.id('child'), { wait: true })])),
        ]);
        const [c] = await t.awaitInstances(t.id('child'));
        t.eq((await t.instance(c.id)).parentWorkflowInstanceId, r.instanceId, 'parent');
        t.ok(!(await t.instance(r.instanceId)).parentWorkflowInstanceId, 'the parent has none');
      },
    },
    ...[
      ['can be resumed'],
      [
        'keeps what its records tell',
        'the reference exports the inputs of the activities with their records, but does not store them on import',
      ],
    ].map(([n, beyond]) => ({
      name: `export and import: an instance moves and ${n}`,
      beyond,
      async run(t) {
        const r = await t.run(blocking(t));
        await t.suspended(r.instanceId);
        const x = await t.api('GET', `/workflow-instances/${E(r.instanceId)}/export`, {
          query: { includeBookmarks: true, includeActivityExecutionLog: true, includeWorkflowExecutionLog: true },
          expect: 200,
        });
        await t.api('DELETE', `/workflow-instances/${E(r.instanceId)}`, { expect: 204 });
        t.eq(await t.instanceOrNone(r.instanceId), undefined, 'deleted');
        const m = t.multipart([
          { name: 'files', filename: 'instance.json', contentType: 'application/json', data: x.buffer },
        ]);
        const i = await t.api('POST', '/bulk-actions/import/workflow-instances', {
          body: m.body,
          headers: { 'Content-Type': m.contentType },
          expect: 200,
        });
        t.eq(i.json.imported, 1, 'imported');
        await t.suspended(r.instanceId);
        await t.trigger(t.id('go'), { workflowInstanceId: r.instanceId });
        await t.finished(r.instanceId);
        if (beyond) await t.expectLines(r.instanceId, ['Line 1', 'Line 2']);
        await t.eventually(async () => {
          t.eq((await t.lines(r.instanceId)).at(-1), 'Line 2', 'last line');
          t.eq(
            (await t.journal(r.instanceId)).filter(
              (e) => e.eventName === 'Started' && e.activityType === 'Elsa.WriteLine',
            ).length,
            2,
            'lines in the journal',
          );
        });
      },
    })),
    {
      name: 'delete a suspended instance: its bookmarks go',
      async run(t) {
        const r = await t.run(blocking(t));
        const other = await t.execute(t.id());
        await t.api('DELETE', `/workflow-instances/${E(r.instanceId)}`, { expect: 204 });
        t.eq(await t.instanceOrNone(r.instanceId), undefined, 'instance');
        t.eq(await t.records(r.instanceId), [], 'activity executions');
        await t.trigger(t.id('go'));
        await t.finished(other.instanceId);
        t.eq(ids(await t.instancesOf(t.id())), [other.instanceId], 'instances left');
      },
    },
  ],
};
