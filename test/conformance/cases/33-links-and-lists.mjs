// URLs that trigger an event, orders of lists, and what editors ask for.
import {
  W,
  event,
  httpResponse,
  lit,
  runJs,
  seq,
  start,
  chain,
  subWorkflow,
  variable,
  workflow,
} from '../lib/build.mjs';
import { line, wf } from '../lib/lines.mjs';

/** An instance that has written the URL of its event, and waits for it. */
async function withUrl(t, lifetime, ...after) {
  const args = lifetime ? `"${t.id('ev')}", "${lifetime}"` : `"${t.id('ev')}"`;
  const r = await t.run(wf(t, [line('Url', `createEventTriggerUrl(${args})`), event('E', t.id('ev')), ...after]));
  const [text] = await t.someLines(r.instanceId);
  const url = new URL(text);
  const go = (more = '') => t.http('GET', `${t.env.base}${url.pathname}${url.search}${more}`);
  return { ...r, url, token: url.searchParams.get('t'), go };
}

const names = (items) => items.map(({ name }) => name);

export default {
  group: 'links-and-lists',
  description: 'event URLs, orders, what editors ask for',
  requires: ['javascript'],
  cases: [
    {
      name: 'the URL of an event resumes the instance, which answers',
      async run(t) {
        const { url, token, go, instanceId } = await withUrl(
          t,
          '01:00:00',
          httpResponse('H', lit('thanks'), { status: 202 }),
        );
        t.ok(url.pathname.endsWith('/events/trigger'), 'path');
        t.match(token, /^v1\.tl\./, 'a token that expires');
        const answer = await go();
        t.eq([answer.status, answer.text], [202, 'thanks'], 'answer');
        await t.finished(instanceId);
        t.eq((await go()).status, 200, 'again');
      },
    },
    {
      name: 'the URL of an event resumes later',
      async run(t) {
        const { token, go, instanceId } = await withUrl(t, undefined, W('After', 'after'));
        t.match(token, /^v1\.ne\./, 'a token that does not expire');
        const answer = await go('&async=true');
        t.eq([answer.status, answer.text], [200, ''], 'answer');
        await t.finished(instanceId);
      },
    },
    {
      name: 'tokens that are over, changed, or made for something else are refused',
      async run(t) {
        const { token, go, instanceId } = await withUrl(t, '00:00:00.001');
        await t.sleep(20);
        t.eq((await go()).status, 400, 'over');
        for (const [path, value] of [
          ['/events/trigger', `${token}x`],
          ['/events/trigger', 'nonsense'],
          ['/bookmarks/resume', token],
        ]) {
          const { json } = await t.api('GET', path, { query: { t: value }, expect: 400, auth: false });
          t.eq(json.errors.generalErrors, ['Invalid token.'], path);
        }
        await t.suspended(instanceId);
      },
    },
    {
      name: 'definitions by name and by time, in pages',
      async run(t) {
        const ids = ['b', 'a', 'c'].map((id) => t.id(id));
        for (const id of ids) await t.import({ ...workflow(id, seq('S', [])), name: id.slice(0, 1) });
        const of = async (query) => {
          const page = await t.apiJson('GET', '/workflow-definitions', {
            query: { definitionIds: ids, versionOptions: 'Latest', ...query },
          });
          return [names(page.items).join(''), page.totalCount];
        };
        t.eq(await of({}), ['abc', 3], 'default');
        t.eq(await of({ orderBy: 'Name', orderDirection: 'Descending' }), ['cba', 3], 'by name, descending');
        t.eq(await of({ orderBy: 'Created' }), ['cab', 3], 'the newest first by time');
        t.eq(await of({ OrderBy: 'Created', OrderDirection: 'Ascending' }), ['bac', 3], 'by time, ascending');
        t.eq(await of({ Page: 1, PageSize: 2 }), ['c', 3], 'second page');
        t.eq(await of({ page: 0 }), ['abc', 3], 'a page without a size');
      },
    },
    {
      name: 'instances by name and by time',
      async run(t) {
        await t.deploy(wf(t, [W('W', 'x')]));
        for (const name of ['b', 'a', 'c']) await t.execute(t.id(), { name });
        const of = async (filter) => names(await t.instances({ definitionId: t.id(), ...filter })).join('');
        t.eq(await of({ orderBy: 'Name', orderDirection: 'Ascending' }), 'abc', 'by name');
        t.eq(await of({ orderBy: 'Name', orderDirection: 'Descending' }), 'cba', 'by name, descending');
        t.eq(await of({ orderBy: 'Created', orderDirection: 'Ascending' }), 'bac', 'by time');
        t.eq(await of({ orderBy: 'Finished', orderDirection: 'Descending' }), 'cab', 'by end, descending');
      },
    },
    {
      name: 'a name is unique where no other definition has it',
      async run(t) {
        await t.import(wf(t, [W('W', 'x')], { name: t.id('name') }));
        const unique = (query) => t.apiJson('GET', '/workflow-definitions/validation/is-name-unique', { query });
        t.eq(await unique({ name: t.id('name') }), { isUnique: false }, 'taken');
        t.eq(await unique({ name: t.id('name'), definitionId: t.id() }), { isUnique: true }, 'its own');
        t.eq(await unique({ name: t.id('other') }), { isUnique: true }, 'free');
      },
    },
    {
      name: 'declarations for scripts name variables by type',
      async run(t) {
        await t.import(
          wf(t, [runJs('J', '1')], {
            variables: [variable('Total', 'Int32'), variable('Who', 'String'), variable('Paid', 'Boolean')],
          }),
        );
        const { text } = await t.api('POST', `/scripting/javascript/type-definitions/${t.id()}`, {
          body: { activityTypeName: 'Elsa.WriteLine', propertyName: 'Text' },
        });
        for (const declaration of ['getTotal(): number', 'getWho(): string', 'getPaid(): boolean', 'newGuid()'])
          t.includes(text, declaration, 'declarations');
      },
    },
    {
      name: 'a part of the graph, and the way to a node',
      async run(t) {
        const model = {
          ...workflow(t.id('c'), chain('CF', [start('Begin'), W('Deep', 'x')])),
          name: t.typeName('Child'),
        };
        const child = await t.deploy({ ...model, options: { usableAsActivity: true } });
        const d = await t.deploy(wf(t, [subWorkflow('Use', child)]));
        const r = await t.execute(t.id());
        const node = (id) => t.journal(r.instanceId).then((j) => j.find((e) => e.activityId === id).nodeId);
        const [deep, use] = [await node('Deep'), await node('Use')];
        const way = await t.apiJson('GET', `/workflow-definitions/subgraph/segments/${d.id}`, {
          query: { childNodeId: deep },
        });
        t.eq(way.childNode.activity.id, 'Deep', 'node');
        t.includes(
          way.pathSegments.map(({ activityId }) => activityId),
          'Use',
          'way',
        );
        const part = await t.apiJson('GET', `/workflow-definitions/subgraph/${d.id}`, { query: { parentNodeId: use } });
        t.eq([part.nodeId, part.activity.id], [use, 'Use'], 'part');
      },
    },
    {
      name: 'the runtime says how it is',
      async run(t) {
        const status = await t.apiJson('GET', '/admin/workflow-runtime/status');
        t.eq([status.state.reason, status.state.isAcceptingNewWork], ['None', true], 'state');
        t.ok(
          status.sources.every(({ state }) => state === 'Running'),
          'sources',
        );
      },
    },
  ],
};
