// Workflow definitions over the REST API: import, save, publish, retract, versions, deletion, bulk operations, look-ups.
import { W, flow, inputDef, workflow } from '../lib/build.mjs';
import { findActivity } from '../lib/fixtures.mjs';
import { unzip } from '../lib/zip.mjs';

const hello = (id, text = 'Hello World!', o) => workflow(id, flow('Flow', [W('Write', text)]), o);
const E = encodeURIComponent;
const MISS =
  'the reference caches that no published version was found, for a day and without a tag: once executed in vain, a workflow answers 404 even after it was published';

export default {
  group: 'definitions',
  description: 'definitions: import, publish, versions, delete, bulk, look-ups',
  cases: [
    {
      name: 'import saves a first draft, whatever the model claims',
      async run(t) {
        const d = await t.import({ ...hello(t.id()), version: 7, isPublished: true });
        t.eq(d.definitionId, t.id(), 'definitionId');
        t.eq(d.version, 1, 'version');
        t.eq(d.isPublished, false, 'isPublished');
        t.eq(d.isLatest, true, 'isLatest');
        await t.definition(t.id(), 'Published', { expect: 404 });
        t.eq((await t.definition(t.id(), 'Draft')).version, 1, 'draft version');
      },
    },
    {
      name: 'import of a known draft updates it in place',
      async run(t) {
        const a = await t.import(hello(t.id(), 'one', { name: 'First name' }));
        const b = await t.import(hello(t.id(), 'two', { name: 'Second name' }));
        t.eq(b.id, a.id, 'version id');
        t.eq(b.version, 1, 'version');
        t.eq(b.name, 'Second name', 'name');
        const versions = await t.apiJson('GET', `/workflow-definitions/${E(t.id())}/versions`);
        t.eq(versions.length, 1, 'number of versions');
        t.eq(findActivity(await t.definition(t.id()), 'Write').text.expression.value, 'two', 'text');
      },
    },
    {
      name: 'import over a published definition makes version 2, version 1 stays published',
      async run(t) {
        const p = await t.deploy(hello(t.id(), 'one'));
        const d = await t.import(hello(t.id(), 'two'));
        t.eq(d.version, 2, 'version');
        t.eq(d.isPublished, false, 'isPublished');
        t.ne(d.id, p.id, 'version id');
        const published = await t.definition(t.id(), 'Published'),
          latest = await t.definition(t.id(), 'Latest');
        t.eq([published.version, latest.version], [1, 2], 'published and latest');
        t.eq([published.isLatest, latest.isLatest], [false, true], 'isLatest');
        const r = await t.execute(t.id());
        await t.expectLines(r.instanceId, ['one']);
      },
    },
    {
      name: 'import under a definition id in the path',
      async run(t) {
        t.track(t.id());
        const r = await t.api('PUT', `/workflow-definitions/${E(t.id())}/import`, {
          body: hello(t.id()),
          expect: [200, 201],
        });
        t.eq(r.json.definitionId, t.id(), 'definitionId');
        await t.definition(t.id());
      },
    },
    {
      name: 'import without a definition id creates one',
      async run(t) {
        const { definitionId: _, ...m } = hello('x', 'Hi', { name: t.typeName('Blank') });
        const r = await t.api('POST', '/workflow-definitions/import', { body: m, expect: 201 }); // 200 when the definition id is given, also for a new one
        t.ok(r.json?.definitionId, 'no definitionId in the answer');
        t.track(r.json.definitionId);
        t.eq((await t.definition(r.json.definitionId)).name, t.typeName('Blank'), 'name');
      },
    },
    {
      name: 'save as draft, then publish',
      beyond: MISS,
      async run(t) {
        const r = await t.save(hello(t.id()), { publish: false, raw: true, expect: 200 });
        t.eq(r.json.workflowDefinition.isPublished, false, 'isPublished');
        t.eq(r.json.alreadyPublished, false, 'alreadyPublished');
        t.eq(r.json.validationErrors, [], 'validationErrors');
        await t.execute(t.id(), {}, { expect: 404 });
        const p = await t.publish(t.id(), { raw: true });
        t.eq(p.json.workflowDefinition.isPublished, true, 'isPublished');
        t.eq(p.json.workflowDefinition.version, 1, 'version');
        t.eq(p.json.alreadyPublished, false, 'alreadyPublished');
        await t.expectLines((await t.execute(t.id())).instanceId, ['Hello World!']);
      },
    },
    {
      name: 'save and publish in one call',
      async run(t) {
        const d = await t.save(hello(t.id()), { publish: true, expect: 200 });
        t.eq([d.version, d.isPublished, d.isLatest], [1, true, true], 'version and flags');
        await t.expectLines((await t.execute(t.id())).instanceId, ['Hello World!']);
      },
    },
    {
      name: 'retract',
      beyond: MISS,
      async run(t) {
        await t.deploy(hello(t.id()));
        const d = await t.retract(t.id());
        t.eq(d.isPublished, false, 'isPublished');
        await t.definition(t.id(), 'Published', { expect: 404 });
        await t.execute(t.id(), {}, { expect: 404 });
        await t.retract(t.id(), { expect: 400 });
        t.eq((await t.publish(t.id())).isPublished, true, 'published again');
        await t.expectLines((await t.execute(t.id())).instanceId, ['Hello World!']);
      },
    },
    {
      name: 'the plain look-up gives the latest version',
      async run(t) {
        await t.save(hello(t.id(), 'v1'), { publish: true });
        await t.save(hello(t.id(), 'v2'), { publish: false });
        const d = await t.apiJson('GET', `/workflow-definitions/by-definition-id/${E(t.id())}`);
        t.eq(d.version, 2, 'version');
      },
    },
    {
      name: 'list: filter by ids and version options, search, page',
      async run(t) {
        const ids = ['a', 'b', 'c'].map((x) => t.id(x));
        for (const [i, id] of ids.entries())
          await t.save(hello(id, id, { name: `${t.typeName('Listed')} ${i}` }), { publish: i < 2 });
        await t.save(hello(ids[0], 'v2', { name: `${t.typeName('Listed')} 0` }), { publish: false });
        const list = async (q) => t.apiJson('GET', '/workflow-definitions', { query: q });
        let r = await list({ definitionIds: ids, versionOptions: 'Latest' });
        t.sameSet(
          r.items.map((x) => [x.definitionId, x.version]),
          [
            [ids[0], 2],
            [ids[1], 1],
            [ids[2], 1],
          ],
          'latest',
        );
        t.eq(r.totalCount, 3, 'totalCount');
        r = await list({ definitionIds: ids, versionOptions: 'Published' });
        t.sameSet(
          r.items.map((x) => [x.definitionId, x.version]),
          [
            [ids[0], 1],
            [ids[1], 1],
          ],
          'published',
        );
        r = await list({
          searchTerm: t.typeName('Listed'),
          versionOptions: 'Latest',
          orderBy: 'Name',
          orderDirection: 'Descending',
        });
        t.eq(
          r.items.map((x) => x.definitionId),
          [...ids].reverse(),
          'search, by name descending',
        );
        const p0 = await list({ definitionIds: ids, versionOptions: 'Latest', page: 0, pageSize: 2, orderBy: 'Name' }),
          p1 = await list({ definitionIds: ids, versionOptions: 'Latest', page: 1, pageSize: 2, orderBy: 'Name' });
        t.eq([p0.items.length, p1.items.length, p0.totalCount], [2, 1, 3], 'pages');
        t.eq(
          [...p0.items, ...p1.items].map((x) => x.definitionId),
          ids,
          'all pages, by name',
        );
      },
    },
    {
      name: 'flat connections of older definitions are understood',
      async run(t) {
        const f = flow('Flow', [W('A', 'A'), W('B', 'B')]);
        f.connections = [{ source: 'A', sourcePort: 'Done', target: 'B', targetPort: 'In' }];
        await t.runAndExpect(workflow(t.id(), f), ['A', 'B']);
      },
    },
    {
      name: 'publishing duplicate input names is refused',
      async run(t) {
        await t.import(hello(t.id(), 'x', { inputs: [inputDef('A'), inputDef('A'), inputDef('B')] }));
        const r = await t.publish(t.id(), { expect: 400, raw: true });
        t.includes(r.text, 'The following inputs are defined more than once: A', 'error message');
        await t.execute(t.id(), {}, { expect: 404 });
      },
    },
    {
      name: 'bulk publish',
      async run(t) {
        const [a, b, c] = ['a', 'b', 'c'].map((x) => t.id(x));
        await t.import(hello(a));
        await t.import(hello(b));
        await t.deploy(hello(c));
        const r = await t.apiJson('POST', '/bulk-actions/publish/workflow-definitions/by-definition-ids', {
          body: { definitionIds: [a, b, c, t.id('nope')] },
        });
        t.sameSet(r.published, [a, b], 'published');
        t.eq(r.alreadyPublished, [c], 'alreadyPublished');
        t.eq(r.notFound, [t.id('nope')], 'notFound');
        await t.expectLines((await t.execute(a)).instanceId, ['Hello World!']);
      },
    },
    {
      name: 'bulk delete by definition ids',
      async run(t) {
        const ids = ['a', 'b'].map((x) => t.id(x));
        for (const id of ids) await t.deploy(hello(id));
        await t.save(hello(ids[0], 'v2'));
        const r = await t.apiJson('POST', '/bulk-actions/delete/workflow-definitions/by-definition-id', {
          body: { definitionIds: [...ids, t.id('nope')] },
        });
        t.eq(r.deleted, 3, 'deleted versions');
        for (const id of ids) await t.definition(id, 'Latest', { expect: 404 });
      },
    },
    {
      name: 'bulk export gives a zip',
      async run(t) {
        const a = await t.deploy(hello(t.id('a'))),
          b = await t.deploy(hello(t.id('b')));
        const r = await t.api('POST', '/bulk-actions/export/workflow-definitions', {
          body: { ids: [a.id, b.id] },
          expect: 200,
        });
        const files = unzip(r.buffer).map((f) => JSON.parse(f.data.toString('utf8').replace(/^\uFEFF/, '')));
        t.sameSet(
          files.map((f) => f.definitionId),
          [t.id('a'), t.id('b')],
          'definitions in the archive',
        );
      },
    },
    {
      name: 'refresh reports what it did not find',
      async run(t) {
        await t.deploy(hello(t.id()));
        const r = await t.apiJson('POST', '/actions/workflow-definitions/refresh', {
          body: { definitionIds: [t.id(), t.id('nope')] },
        });
        t.includes(r.refreshed ?? [], t.id(), 'refreshed');
        t.includes(r.notFound ?? [], t.id('nope'), 'notFound');
        await t.expectLines((await t.execute(t.id())).instanceId, ['Hello World!']);
      },
    },
  ],
};
