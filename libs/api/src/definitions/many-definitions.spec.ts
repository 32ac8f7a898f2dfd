import { unzipSync } from 'fflate';
import { WorkflowPersistence } from '@waymark/runtime';
import { pairsOf } from '../../../../test/support/pairs.js';
import { ADAPTERS, line, useServer } from '../module/api-harness.spec.js';

const MANY = 1_010;

describe.each(pairsOf(ADAPTERS, 'fastify'))('many definitions on %s', (adapter) => {
  const { call, deploy, app } = useServer(adapter);
  /** Sizes of the pages that were asked for; definitions that were loaded one by one. */
  let pages: (number | undefined)[];
  let loaded: (string | undefined)[];

  beforeAll(async () => {
    const template = await deploy('d0', line('A'));
    const { definitions } = app().get(WorkflowPersistence);
    const { revision: _, ...content } = (await definitions.find({ id: template.id }))!;
    const copy = (id: string, definitionId: string, version: number, isLatest = true) => ({
      definition: { ...content, id, definitionId, version, isLatest, isPublished: isLatest },
      expectedRevision: undefined,
    });
    const saved = Array.from({ length: MANY - 1 }, (_, n) => copy(`v${n + 1}`, `d${n + 1}`, 1));
    for (let version = 2; version < 8; version++) saved.push(copy(`old${version}`, 'old', version, version === 7));
    await definitions.apply({ saved, deletedIds: [], addedTriggers: [], removedTriggerIds: [] });
    const [findMany, find] = [definitions.findMany.bind(definitions), definitions.find.bind(definitions)];
    definitions.findMany = (filter, order, page) => {
      pages.push(filter.ids?.length);
      return findMany(filter, order, page);
    };
    definitions.find = (filter) => {
      loaded.push(filter.id);
      return find(filter);
    };
  });
  beforeEach(() => {
    [pages, loaded] = [[], []];
  });
  const list = async (query: string) => (await call('GET', `/workflow-definitions?${query}`)).json;

  it('a list without a page has the first thousand, few of which are in memory with their content', async () => {
    const all = await list('versionOptions=Latest');
    expect([all.items.length, all.totalCount, all.links.length > 0]).toEqual([1_000, MANY + 1, true]);
    // How many depends on how long the first of them take.
    expect([pages[0], pages.every((take = Infinity) => take <= 50)]).toEqual([8, true]);
    const second = await list('versionOptions=Latest&page=1&pageSize=1000');
    expect([second.items.length, second.totalCount]).toEqual([11, MANY + 1]);
    expect(new Set([...all.items, ...second.items].map(({ id }) => id)).size).toBe(MANY + 1);
  });

  it('a list has each definition once, whatever is saved or deleted while it is read', async () => {
    const { definitions } = app().get(WorkflowPersistence);
    const read = definitions.findMany;
    const first = (await definitions.find({ id: 'v1' }))!;
    const change = { addedTriggers: [], removedTriggerIds: [] };
    let isFirst = true;
    definitions.findMany = async (...query) => {
      const found = await read(...query);
      if (!isFirst) return found;
      isFirst = false;
      const { revision: _, ...content } = first;
      const definition = { ...content, id: 'a0', definitionId: 'a0', name: 'A0' };
      await definitions.apply({ ...change, saved: [{ definition, expectedRevision: undefined }], deletedIds: [] });
      return found;
    };
    const { items } = await list('versionOptions=Latest&pageSize=60');
    definitions.findMany = read;
    expect(new Set(items.map(({ id }: { id: string }) => id)).size).toBe(60);
    await definitions.apply({ ...change, saved: [], deletedIds: ['a0'] });
  });

  it('returns all that are requested by id', async () => {
    const query = Array.from({ length: MANY - 1 }, (_, n) => `ids=v${n + 1}`).join('&');
    const { items, totalCount } = await list(query);
    expect([items.length, totalCount]).toEqual([MANY - 1, MANY - 1]);
    expect((await call('GET', '/workflow-definitions?pageSize=10001')).status).toBe(400);
  });

  it('all versions of one are answered with their content, one after the other', async () => {
    const answer = await call('GET', '/workflow-definitions/old/versions');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      expect.stringMatching(/^application\/json/),
    ]);
    const versions = JSON.parse(answer.text) as { version: number; stringData: string }[];
    expect(versions.map(({ version }) => version)).toEqual([7, 6, 5, 4, 3, 2]);
    expect(JSON.parse(versions[0]!.stringData)).toMatchObject({ type: 'Elsa.WriteLine' });
    expect([pages, loaded]).toEqual([[], ['old7', 'old6', 'old5', 'old4', 'old3', 'old2']]);
    expect((await call('GET', '/workflow-definitions/none/versions')).status).toBe(404);
    expect((await call('GET', '/workflow-definitions/validation/is-name-unique?name=d0')).json).toEqual({
      isUnique: false,
    });
    expect(pages).toEqual([]);
  });

  it('an archive is made of one after the other', async () => {
    const ids = Array.from({ length: 30 }, (_, n) => `v${n + 1}`);
    const archive = await call('POST', '/bulk-actions/export/workflow-definitions', { ids: [...ids, 'none', 'v1'] });
    expect([archive.status, archive.headers.get('content-disposition')]).toEqual([
      200,
      expect.stringContaining('.zip'),
    ]);
    expect(Object.keys(unzipSync(archive.bytes))).toHaveLength(30);
    expect([pages, loaded.length, new Set(loaded)]).toEqual([[], 30, new Set(ids)]);
    const none = await call('POST', '/bulk-actions/export/workflow-definitions', { ids: ['none'] });
    expect(none.status).toBe(204);
    const tooMany = Array.from({ length: 10_001 }, (_, n) => `i${n}`);
    expect((await call('POST', '/bulk-actions/export/workflow-definitions', { ids: tooMany })).status).toBe(400);
  });
});
