// Versions, bulk actions, runs, instances, exports and activity executions over REST.
import { W, event, inputDef, js, outputDef, runJs, seq, setOutput, variable, workflow } from '../lib/build.mjs';

const E = encodeURIComponent;
const simple = (t, id = t.id(), o) => workflow(id, seq('S', [W('W', 'x')]), o);
const isEmpty = (t, r, status, what) => {
  t.eq([r.status, r.text], [status, ''], what);
  t.ok(!r.headers['content-type'], `${what}: content type of an empty answer`);
};

export default {
  group: 'definitions-and-runs',
  description: 'versions, bulk actions, runs, instances and files over REST',
  cases: [
    {
      name: 'versions, revert, deletion of a version',
      async run(t) {
        await t.deploy(simple(t, t.id(), { name: t.id('one') }));
        await t.deploy(simple(t, t.id(), { name: t.id('two') }));
        const r = await t.api('POST', `/workflow-definitions/${E(t.id())}/revert/1`, { expect: 201 });
        t.eq(
          [r.json.version, r.json.isLatest, r.json.isPublished, r.json.name],
          [3, true, false, t.id('one')],
          'reverted',
        );
        t.eq(r.headers.location, `${t.env.apiPrefix}/workflow-definitions/by-id/${r.json.id}`, 'Location');
        const versions = async () =>
          (await t.apiJson('GET', `/workflow-definitions/${E(t.id())}/versions`)).map((x) => [
            x.version,
            x.isLatest,
            x.isPublished,
          ]);
        t.eq(
          await versions(),
          [
            [3, true, false],
            [2, false, true],
            [1, false, false],
          ],
          'versions',
        );
        await t.api('DELETE', `/workflow-definitions/${E(t.id())}/version/1`, { expect: 200 });
        await t.api('DELETE', `/workflow-definition-versions/${E(r.json.id)}`, { expect: 204 });
        t.eq(await versions(), [[2, true, true]], 'what is left');
        await t.api('POST', `/workflow-definitions/${E(t.id())}/revert/9`, { expect: 404 });
      },
    },
    {
      name: 'publishing twice, retracting twice, retracting below a newer draft',
      beyond: 'the reference refuses to retract a version that a newer draft hides',
      async run(t) {
        await t.deploy(simple(t));
        const again = await t.publish(t.id(), { raw: true });
        t.eq(again.json.alreadyPublished, true, 'alreadyPublished');
        const d = await t.retract(t.id());
        t.eq([d.version, d.isPublished], [1, false], 'retracted');
        await t.retract(t.id(), { expect: 400 });
        await t.publish(t.id());
        await t.import(simple(t));
        await t.retract(t.id());
        await t.api('GET', `/workflow-definitions/by-definition-id/${t.id()}?versionOptions=Published`, {
          expect: 404,
        });
      },
    },
    {
      name: 'bulk publish and retract, known and unknown',
      async run(t) {
        await t.import(simple(t, t.id('a')));
        await t.import(simple(t, t.id('b')));
        const bulk = (what, definitionIds) =>
          t.apiJson('POST', `/bulk-actions/${what}/workflow-definitions/by-definition-ids`, {
            body: { definitionIds },
          });
        const p = await bulk('publish', [t.id('a'), t.id('x')]);
        t.eq(
          [p.published, p.notFound, p.alreadyPublished, p.failed, p.skipped],
          [[t.id('a')], [t.id('x')], [], [], []],
          'published',
        );
        t.eq((await bulk('publish', [t.id('a')])).alreadyPublished, [t.id('a')], 'published again');
        const r = await bulk('retract', [t.id('a'), t.id('b'), t.id('x')]);
        t.eq([r.retracted, r.notPublished, r.notFound], [[t.id('a')], [t.id('b')], [t.id('x')]], 'retracted');
        t.eq([r.alreadyRetracted, r.skipped], [[t.id('b')], []], 'already retracted');
      },
    },
    {
      name: 'names that are taken',
      async run(t) {
        await t.import(simple(t, t.id(), { name: t.id('taken') }));
        const free = async (q) =>
          (await t.apiJson('GET', `/workflow-definitions/validation/is-name-unique?${q}`)).isUnique;
        t.eq(await free(`name=${t.id('free')}`), true, 'free');
        t.eq(await free(`name=${t.id('taken')}`), false, 'taken');
        t.eq(await free(`name=${t.id('taken')}&definitionId=${t.id()}`), true, 'its own');
      },
    },
    {
      name: 'instances: filters of time, of incidents and of words',
      async run(t) {
        await t.deploy(simple(t));
        const r = await t.execute(t.id(), { name: t.id('word') });
        const at = (await t.instance(r.instanceId)).createdAt;
        const find = async (f) => (await t.instances({ definitionId: t.id(), ...f })).length;
        const time = (operator, timestamp, column = 'CreatedAt') => ({
          timestampFilters: [{ column, operator, timestamp }],
        });
        t.eq(await find(time('GreaterThan', '2020-01-01T00:00:00Z')), 1, 'later than 2020');
        t.eq(await find(time('LessThan', '2020-01-01T00:00:00Z')), 0, 'before 2020');
        t.eq(await find(time('GreaterThanOrEqual', at)), 1, 'from its time');
        t.eq(await find(time('LessThanOrEqual', '2999-01-01T00:00:00Z', 'FinishedAt')), 1, 'finished before 2999');
        t.eq(await find({ hasIncidents: true }), 0, 'with incidents');
        t.eq(await find({ hasIncidents: false }), 1, 'without incidents');
        t.eq(await find({ searchTerm: t.id('word') }), 1, 'search by name');
        t.eq(await find({ searchTerm: r.instanceId }), 1, 'search by id');
        t.eq(await find({ version: 1 }), 1, 'version 1');
        t.eq(await find({ version: 2 }), 0, 'version 2');
        t.eq(
          (await t.apiJson('GET', `/workflow-instances?DefinitionId=${t.id()}&Page=0&PageSize=1`)).totalCount,
          1,
          'GET',
        );
      },
    },
    {
      name: 'what is not there answers empty, or with nothing done',
      async run(t) {
        t.eq(await t.apiJson('GET', '/workflow-instances/nope/journal'), { items: [], totalCount: 0 }, 'journal');
        t.eq(await t.apiJson('GET', '/workflow-instances/nope/variables'), { items: [], count: 0 }, 'variables');
        isEmpty(t, await t.api('POST', '/cancel/workflow-instances/nope', { expect: 'any' }), 200, 'cancel');
        t.eq(
          await t.apiJson('POST', '/bulk-actions/cancel/workflow-instances', { body: { ids: ['nope'] } }),
          { cancelled: 0 },
          'bulk cancel',
        );
        t.eq(
          await t.apiJson('POST', '/bulk-actions/delete/workflow-instances', { body: { ids: ['nope'] } }),
          { deleted: 0 },
          'bulk delete',
        );
        isEmpty(
          t,
          await t.api('POST', '/bulk-actions/export/workflow-instances', { body: { ids: ['nope'] }, expect: 'any' }),
          204,
          'bulk export',
        );
        isEmpty(
          t,
          await t.api('POST', '/bulk-actions/export/workflow-definitions', { body: { ids: ['nope'] }, expect: 'any' }),
          204,
          'bulk export of definitions',
        );
        isEmpty(t, await t.api('POST', '/tasks/nope/complete', { body: {}, expect: 'any' }), 200, 'task');
        isEmpty(t, await t.api('POST', `/events/${t.id('none')}/trigger`, { body: {}, expect: 'any' }), 200, 'event');
        t.eq((await t.apiJson('GET', '/workflow-definitions/many-by-id?ids=nope')).items, [], 'many by id');
        t.eq(
          await t.apiJson('GET', '/resilience/retries/nope?skip=0&take=10'),
          { items: [], totalCount: 0, links: [] },
          'retries',
        );
        t.eq(
          await t.apiJson('GET', '/activity-executions/list?workflowInstanceId=nope'),
          { items: [], count: 0 },
          'records',
        );
      },
    },
    {
      name: 'execute: without a body, by GET, with variables, from one activity',
      requires: ['javascript'],
      async run(t) {
        const sum = variable('Sum', 'Int32', 1);
        await t.deploy(
          workflow(
            t.id(),
            seq('S', [
              runJs('J', 'setVariable("Sum", getVariable("Sum") + getInput("Add"))'),
              setOutput('O', 'Sum', js('getVariable("Sum")')),
            ]),
            {
              variables: [sum],
              inputs: [inputDef('Add', 'Int32')],
              outputs: [outputDef('Sum', 'Int32')],
            },
          ),
        );
        const run = async (body) => (await t.execute(t.id(), body)).state.output?.Sum;
        t.eq(await run({ input: { Add: 2 } }), 3, 'input');
        t.eq(await run({ input: { Add: 2 }, variables: { Sum: 10 } }), 12, 'variables');
        const q = `input=${E('{"Add":5}')}&correlationId=${t.id('c')}`;
        const g = await t.api('GET', `/workflow-definitions/${E(t.id())}/execute?${q}`);
        t.eq([g.json.workflowState.output.Sum, g.json.workflowState.correlationId], [6, t.id('c')], 'GET');
        const one = await t.execute(t.id(), { input: { Add: 2 }, activityHandle: { activityId: 'O' } });
        t.ok(one.instanceId, 'from one activity');
        await t.api('POST', `/workflow-definitions/${E(t.id())}/execute`, {
          body: '{ nope',
          headers: { 'Content-Type': 'application/json' },
          expect: 400,
        });
      },
    },
    {
      name: 'execute: drafts run when they are asked for',
      async run(t) {
        await t.import(simple(t));
        await t.api('POST', `/workflow-definitions/${E(t.id())}/execute`, { body: {}, expect: 404 });
        const r = await t.execute(t.id(), { versionOptions: 'Latest' });
        t.expectState(r.state, 'Finished', 'Finished');
        await t.api('POST', `/workflow-definitions/${E(t.id())}/execute`, {
          body: { versionOptions: 'Newest' },
          expect: 400,
        });
      },
    },
    {
      name: 'bulk dispatch gives the ids of its instances',
      async run(t) {
        await t.deploy(simple(t));
        const r = await t.apiJson('POST', `/workflow-definitions/${E(t.id())}/bulk-dispatch`, { body: { count: 3 } });
        t.eq(r.workflowInstanceIds.length, 3, 'ids');
        for (const id of r.workflowInstanceIds) await t.finished(id);
      },
    },
    {
      name: 'exports are files',
      async run(t) {
        const d = await t.deploy(simple(t));
        const one = await t.api('GET', `/workflow-definitions/${E(t.id())}/export`);
        t.match(one.headers['content-type'], /^application\/octet-stream/, 'content type');
        t.match(
          one.headers['content-disposition'],
          new RegExp(`attachment; filename="?workflow-definition-.*${d.id}\\.json`),
          'name',
        );
        const file = JSON.parse(one.text);
        t.eq(Object.keys(file)[0], '$schema', 'first member');
        t.eq([file.definitionId, file.id, file.version], [t.id(), d.id, 1], 'content');
        const zip = await t.api('POST', '/bulk-actions/export/workflow-definitions', { body: { ids: [d.id] } });
        t.match(zip.headers['content-disposition'], /workflow-definitions\.zip/, 'zip');
        t.eq(zip.buffer.subarray(0, 2).toString(), 'PK', 'zip');
      },
    },
    {
      name: 'activity executions: report, record, call stack',
      async run(t) {
        await t.deploy(workflow(t.id(), seq('S', [W('A', 'a'), event('Ev', t.id('go'))])));
        const r = await t.execute(t.id());
        const record = await t.recordEventually(r.instanceId, 'Ev');
        const nodes = ['Workflow1:S:A', 'Workflow1:S:Ev'];
        const report = await t.apiJson('POST', '/activity-executions/report', {
          body: { workflowInstanceId: r.instanceId, activityNodeIds: nodes },
        });
        t.eq(
          report.stats
            .map((s) => [
              s.activityNodeId,
              s.startedCount,
              s.completedCount,
              s.uncompletedCount,
              s.isBlocked,
              s.isFaulted,
            ])
            .sort(),
          [
            ['Workflow1:S:A', 1, 1, 0, false, false],
            ['Workflow1:S:Ev', 1, 0, 1, true, false],
          ],
          'report',
        );
        t.eq((await t.apiJson('GET', `/activity-executions/by-id?id=${record.id}`)).activityId, 'Ev', 'by id');
        const stack = await t.apiJson('GET', `/activity-executions/${record.id}/call-stack`);
        t.eq(stack.activityExecutionId, record.id, 'call stack');
        t.eq(stack.items.at(-1)?.activityId, 'Ev', 'the end of the call stack');
        t.eq(stack.totalCount, stack.items.length, 'total');
        const page = await t.apiJson('GET', `/activity-executions/${record.id}/call-stack?skip=1&take=1`);
        t.eq(
          page.items.map((x) => x.id),
          [stack.items[1].id],
          'skip and take',
        );
      },
    },
  ],
};
