import { DefinitionDeletions, IWorkflowRuntime } from '@waymark/runtime';
import { BulkPlanWorker } from '@waymark/runtime/adapter';
import { line, model, useServer } from '../module/api-harness.spec.js';

const revisionOf = (tag: string) => /[^".]+\.\d+/.exec(tag)![0];

describe.each(['express', 'fastify'] as const)('a definition that two people save on %s', (adapter) => {
  const { call, app } = useServer(adapter);
  const named = (name: string) => ({ model: { ...model('shared', line('A')), name } });
  const read = async () => {
    const { headers, json } = await call('GET', '/workflow-definitions/by-definition-id/shared');
    return { tag: headers.get('etag')!, name: json.name as string, id: json.id as string };
  };

  it('is saved only over what was read, when the request says so', async () => {
    await call('POST', '/workflow-definitions', named('First'));
    const { tag, id } = await read();
    // The content as well: a cache must not take the answer of another build for this one.
    expect(tag).toMatch(/^W\/"[^.]+\.1\.[\w-]+"$/);
    expect((await call('GET', `/workflow-definitions/by-id/${id}`)).headers.get('etag')).toBe(tag);
    expect((await call('GET', '/workflow-definitions/shared')).headers.get('etag')).toBe(tag);
    const mine = await call('POST', '/workflow-definitions', named('Mine'), { 'if-match': tag });
    expect(mine.status).toBe(200);
    expect(revisionOf(mine.headers.get('etag')!)).toBe(revisionOf((await read()).tag));
    const theirs = await call('POST', '/workflow-definitions', named('Theirs'), { 'if-match': tag });
    expect([theirs.status, theirs.json.code]).toEqual([412, 'WM7043']);
    expect((await read()).name).toBe('Mine');
    // Whatever is there.
    expect((await call('POST', '/workflow-definitions', named('Any'), { 'if-match': '*' })).status).toBe(200);
    expect((await call('POST', '/workflow-definitions', named('Unasked'))).status).toBe(200);
  });

  it('is not saved over where it was to be new', async () => {
    const modelOf = (name: string) => ({ ...model('new', line('A')), name });
    const create = (name: string, path = '', body: object = { model: modelOf(name) }) =>
      call('POST', `/workflow-definitions${path}`, body, { 'if-none-match': '*' });
    const answers = await Promise.all(['One', 'Two', 'Three'].map((name) => create(name)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 412, 412]);
    const refused = answers.find(({ status }) => status === 412)!;
    expect([refused.json.code, refused.json.message]).toEqual(['WM7043', expect.stringContaining('take another id')]);
    const stored = async () => (await call('GET', '/workflow-definitions/new')).headers.get('etag');
    const before = await stored();
    for (const path of ['/import', '/new/import'])
      expect((await create('', path, modelOf('Imported'))).status).toBe(412);
    expect((await create('', '/new/publish', {})).status).toBe(412);
    expect((await call('DELETE', '/workflow-definitions/new', undefined, { 'if-none-match': '*' })).status).toBe(412);
    expect(await stored()).toBe(before);
  });

  it('succeeds for one of two simultaneous saves over one revision', async () => {
    await call('POST', '/workflow-definitions', named('First'));
    const { tag } = await read();
    const answers = await Promise.all(
      ['One', 'Two', 'Three'].map((name) => call('POST', '/workflow-definitions', named(name), { 'if-match': tag })),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 412, 412]);
  });

  it('is published only as it was read', async () => {
    await call('POST', '/workflow-definitions', named('First'));
    const { tag } = await read();
    const { headers } = await call('POST', '/workflow-definitions', named('Theirs'));
    const path = '/workflow-definitions/shared/publish';
    expect((await call('POST', path, {}, { 'if-match': tag })).status).toBe(412);
    expect((await call('GET', '/workflow-definitions/shared')).json.isPublished).toBe(false);
    const published = await call('POST', path, {}, { 'if-match': headers.get('etag')! });
    expect([published.status, revisionOf(published.headers.get('etag')!)]).toEqual([
      200,
      revisionOf((await read()).tag),
    ]);
    // A new version is made of a published one: the tag names that.
    const next = await call('POST', '/workflow-definitions', named('Next'), { 'if-match': (await read()).tag });
    expect([next.status, next.json.workflowDefinition.version]).toEqual([200, 2]);
    const both = { ...named('Both'), publish: true };
    expect((await call('POST', '/workflow-definitions', both, { 'if-match': tag })).status).toBe(412);
  });

  it('is retracted and rolled back only as it was read', async () => {
    await call('POST', '/workflow-definitions', { ...named('First'), publish: true });
    const first = await read();
    await call('POST', '/workflow-definitions', { ...named('Second'), publish: true });
    const second = await read();
    const retract = (tag: string) => call('POST', '/workflow-definitions/shared/retract', {}, { 'if-match': tag });
    const revert = (tag: string) => call('POST', '/workflow-definitions/shared/revert/1', {}, { 'if-match': tag });
    for (const refused of [await retract(first.tag), await revert(first.tag)])
      expect([refused.status, refused.json.code]).toEqual([412, 'WM7043']);
    expect(await read()).toEqual(second);
    const retracted = await retract(second.tag);
    expect([retracted.status, revisionOf(retracted.headers.get('etag')!)]).toEqual([
      200,
      revisionOf((await read()).tag),
    ]);
    expect((await revert(second.tag)).status).toBe(412);
    const reverted = await revert(retracted.headers.get('etag')!);
    expect([reverted.status, revisionOf(reverted.headers.get('etag')!)]).toEqual([201, revisionOf((await read()).tag)]);
    // A draft above what is published does not hide it: both are what a client may have read.
    await call('POST', '/workflow-definitions/shared/publish', {});
    await call('POST', '/workflow-definitions', named('Draft'));
    const published = await call('GET', '/workflow-definitions/by-definition-id/shared?versionOptions=Published');
    expect((await retract(first.tag)).status).toBe(412);
    expect((await retract(published.headers.get('etag')!)).status).toBe(200);
    await call('POST', '/workflow-definitions/shared/publish', {});
    await call('POST', '/workflow-definitions', named('Draft'));
    expect((await retract((await read()).tag)).status).toBe(200);
  });

  it.each(['POST', 'PUT'])('is replaced by an import (%s) only as it was read', async (method) => {
    await call('POST', '/workflow-definitions', named('First'));
    const { tag } = await read();
    await call('POST', '/workflow-definitions', named('Theirs'));
    const file = named('Imported').model;
    for (const path of ['import', 'import?publish=true', 'shared/import']) {
      const refused = await call(method, `/workflow-definitions/${path}`, file, { 'if-match': tag });
      expect([path, refused.status, refused.json.code]).toEqual([path, 412, 'WM7043']);
    }
    expect((await read()).name).toBe('Theirs');
    const imported = await call(method, '/workflow-definitions/import', file, { 'if-match': (await read()).tag });
    expect([imported.status, revisionOf(imported.headers.get('etag')!)]).toEqual([200, revisionOf((await read()).tag)]);
    expect((await read()).name).toBe('Imported');
  });

  it('is known by the tag of a large answer as well, and by one that a proxy has changed', async () => {
    const large = { model: { ...model('large', line('A')), description: 'x'.repeat(5000) } };
    const saved = await call('POST', '/workflow-definitions', large);
    const { headers } = await call('GET', '/workflow-definitions/by-definition-id/large');
    const tag = headers.get('etag')!;
    expect(tag).toMatch(/^W\/"[^.]+\.1\.[\w-]+"$/);
    const [id] = /[^"]+(?=\.1")/.exec(saved.headers.get('etag')!)!;
    const tags = [tag, `"other.1", W/"${id}.2"`, `"${id}.3-gzip"`, `"${id}.3"`];
    const answers = [];
    for (const given of tags)
      answers.push((await call('POST', '/workflow-definitions', large, { 'if-match': given })).status);
    expect(answers).toEqual([200, 200, 200, 412]);
  });

  it('is deleted only as it was read', async () => {
    await call('POST', '/workflow-definitions', { ...named('First'), publish: true });
    const first = await read();
    await call('POST', '/workflow-definitions', named('Theirs'));
    const theirs = await read();
    const deleted = (path: string, tag: string) => call('DELETE', `/${path}`, undefined, { 'if-match': tag });
    const refused = [
      await deleted('workflow-definitions/shared', first.tag),
      await deleted(`workflow-definition-versions/${theirs.id}`, first.tag),
      await deleted('workflow-definitions/shared/version/2', first.tag),
      await deleted('workflow-definitions/shared', '"unknown"'),
    ];
    for (const { status, json } of refused) {
      expect([status, json.code]).toEqual([412, 'WM7043']);
      expect(json.message).toContain('It was not deleted');
    }
    expect((await read()).name).toBe('Theirs');
    expect((await deleted(`workflow-definition-versions/${theirs.id}`, theirs.tag)).status).toBe(204);
    // It is the latest again, which is a change.
    expect((await deleted('workflow-definitions/shared/version/1', first.tag)).status).toBe(412);
    expect((await deleted('workflow-definitions/shared', (await read()).tag)).status).toBe(204);
    await call('POST', '/workflow-definitions', named('Again'));
    expect((await deleted('workflow-definitions/shared', '*')).status).toBe(204);
    expect((await call('DELETE', '/workflow-definitions/shared')).status).toBe(404);
  });

  it('is retracted and deleted by a plan only as it was read', async () => {
    await call('POST', '/workflow-definitions', { ...named('First'), publish: true });
    const { tag } = await read();
    await call('POST', '/workflow-definitions', { ...named('Second'), publish: true });
    const client = await app().get(IWorkflowRuntime).createClient();
    await client.createInstance({ definition: 'shared' });
    const by = (given: string) => {
      const [, id, revision] = /"([^".]+)\.(\d+)/.exec(given)!;
      const over = [{ id: id!, revision: Number(revision) }];
      return app()
        .get(DefinitionDeletions)
        .run({ definitionIds: ['shared'] }, 0, { over });
    };
    await expect(by(tag)).rejects.toMatchObject({ code: 'WM7043' });
    expect((await call('GET', '/workflow-definitions/shared')).json.isPublished).toBe(true);
    expect((await by((await read()).tag)).planId).toBeDefined();
    await app().get(BulkPlanWorker).settled();
    expect((await call('GET', '/workflow-definitions/shared')).status).toBe(404);
  });

  it('is gone, or was never there: nothing is made in its place', async () => {
    await call('POST', '/workflow-definitions', named('First'));
    const { tag } = await read();
    await call('DELETE', '/workflow-definitions/shared');
    expect((await call('POST', '/workflow-definitions', named('Back'), { 'if-match': tag })).status).toBe(412);
    expect((await call('POST', '/workflow-definitions', named('Back'), { 'if-match': '*' })).status).toBe(412);
    expect((await call('GET', '/workflow-definitions/shared')).status).toBe(404);
  });

  it.each(['*', '"read.1"'])('does not match %s on any route when it is not there', async (given) => {
    const paths = [
      ['POST', 'workflow-definitions/missing/publish'],
      ['POST', 'workflow-definitions/missing/retract'],
      ['POST', 'workflow-definitions/missing/revert/1'],
      ['DELETE', 'workflow-definitions/missing'],
      ['DELETE', 'workflow-definitions/missing/version/1'],
      ['DELETE', 'workflow-definition-versions/missing'],
    ] as const;
    for (const [method, path] of paths) {
      const body = method === 'POST' ? {} : undefined;
      const expecting = await call(method, `/${path}`, body, { 'if-match': given });
      expect([path, expecting.status, expecting.json.code]).toEqual([path, 412, 'WM7043']);
      expect([path, (await call(method, `/${path}`, body)).status]).toEqual([path, 404]);
    }
    // What is missing here is not what `If-Match` is about.
    await call('POST', '/workflow-definitions', named('First'));
    const revert = await call('POST', '/workflow-definitions/shared/revert/9', {}, { 'if-match': '*' });
    expect(revert.status).toBe(404);
  });
});
